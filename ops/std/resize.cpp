// Resize: separable, one axis after the other. For each axis the source positions and weights of every output position
// are known from the extents alone; they become constant index and weight tensors: out = sum over taps of gather(x,
// index_t) * weight_t.

#include <algorithm>
#include <cmath>

#include "ops/lower.hpp"

using namespace aegis;

namespace {

struct Settings {
  std::string mode, coordinates, nearest;
  double cubic = -0.75, extrapolation = 0;
  bool exclude_outside = false, antialias = false;
};

struct Axis {
  std::int64_t in = 1, out = 1;
  double scale = 1, roi_start = 0, roi_end = 1;
};

double source_position(const Settings& s, const Axis& a, double y) {
  const double in = static_cast<double>(a.in), width = a.scale * in;
  if (s.coordinates == "align_corners") return width == 1 ? 0 : y * (in - 1) / (width - 1);
  if (s.coordinates == "asymmetric") return y / a.scale;
  if (s.coordinates == "tf_crop_and_resize") {
    const double span = (a.roi_end - a.roi_start) * (in - 1);
    return (width == 1 ? span / 2 : y * span / (width - 1)) + a.roi_start * (in - 1);
  }
  if (s.coordinates == "pytorch_half_pixel" && width == 1) return -0.5;
  const double offset = s.coordinates == "half_pixel_symmetric" ? in / 2 * (1 - static_cast<double>(a.out) / width) : 0;
  return offset + (y + 0.5) / a.scale - 0.5;
}

double cubic_weight(double a, double x) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

// Weights of the positions first, first + 1, ... around `position`.
struct Taps {
  std::int64_t first = 0;
  std::vector<double> weight;
};

Taps taps(const Settings& s, double scale, double position) {
  const double below = std::floor(position);
  // A whole position counts as the right neighbour of the one before it.
  const double ratio = position == below ? 1 : position - below;
  const auto base = static_cast<std::int64_t>(below) - (position == below ? 1 : 0);
  if (s.mode == "nearest") {
    bool right = ratio > 0.5;  // round_prefer_floor
    if (position == below)
      right = true;
    else if (s.nearest == "round_prefer_ceil")
      right = ratio >= 0.5;
    else if (s.nearest == "floor")
      right = false;
    else if (s.nearest == "ceil")
      right = true;
    return {base + (right ? 1 : 0), {1}};
  }
  const bool cubic = s.mode == "cubic";
  const double shrink = s.antialias ? std::min(scale, 1.0) : 1.0, reach = cubic ? 2 : 1;
  const auto start = static_cast<std::int64_t>(std::floor(-reach / shrink) + 1), end = 2 - start;
  Taps t{base + start, {}};
  double sum = 0;
  for (std::int64_t i = start; i < end; ++i) {
    const double x = shrink * (static_cast<double>(i) - ratio);
    t.weight.push_back(cubic ? cubic_weight(s.cubic, x) : std::clamp(1 - std::abs(x), 0.0, 1.0));
    sum += t.weight.back();
  }
  if (s.antialias)
    for (double& w : t.weight) w /= sum;
  return t;
}

// One axis resized; `last` is the slot to fill, or no_slot for a new one.
SlotId resize_axis(Lowering& l, const Settings& s, SlotId x, std::size_t axis, const Axis& a, SlotId last) {
  std::vector<Dims> index;
  std::vector<std::vector<double>> weight;
  std::vector<bool> outside(static_cast<std::size_t>(a.out));
  bool any_outside = false;
  for (std::int64_t y = 0; y < a.out; ++y) {
    const double position = source_position(s, a, static_cast<double>(y));
    Taps t = taps(s, a.scale, position);
    index.resize(std::max(index.size(), t.weight.size()));
    weight.resize(index.size());
    if (s.exclude_outside) {
      double sum = 0;
      for (std::size_t i = 0; i < t.weight.size(); ++i) {
        const std::int64_t at = t.first + static_cast<std::int64_t>(i);
        if (at < 0 || at >= a.in) t.weight[i] = 0;
        sum += t.weight[i];
      }
      for (double& w : t.weight) w /= sum;
    }
    const bool out =
        s.coordinates == "tf_crop_and_resize" && (position < 0 || position > static_cast<double>(a.in - 1));
    outside[static_cast<std::size_t>(y)] = out;
    any_outside = any_outside || out;
    for (std::size_t i = 0; i < t.weight.size(); ++i) {
      index[i].push_back(std::clamp<std::int64_t>(t.first + static_cast<std::int64_t>(i), 0, a.in - 1));
      weight[i].push_back(out ? 0 : t.weight[i]);
    }
  }
  Dims dims = l.dims(x), along(l.dims(x).size() - axis, 1);
  dims[axis] = a.out;
  along[0] = a.out;
  const bool exact = s.mode == "nearest" && !any_outside;
  const DType type = exact ? l.type(x) : storage_type(compute_type(l.type(x)));
  const auto result = [&](bool final) { return final && last != no_slot ? last : l.temp(type, dims); };
  SlotId sum = no_slot;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const bool final = i + 1 == index.size() && !any_outside;
    const SlotId picked = exact ? result(true) : l.temp(l.type(x), dims);
    l.emit(GatherParams{.axis = static_cast<int>(axis)}, {x, l.constant(from_integers({a.out}, index[i]))}, {picked});
    if (exact) return picked;
    const SlotId factor = l.constant(from_doubles(storage_type(compute_type(l.type(x))), along, weight[i]));
    const SlotId next = result(final);
    if (sum == no_slot)
      l.map(Fn::mul, {picked, factor}, next);
    else
      l.map(Fn::mul_add, {picked, factor, sum}, next);
    sum = next;
  }
  if (!any_outside) return sum;
  std::vector<double> flags(outside.begin(), outside.end());
  const SlotId replaced = result(true);
  l.map(Fn::where, {l.constant(from_doubles(DType::boolean, along, flags)), l.scalar(type, s.extrapolation), sum},
        replaced);
  return replaced;
}

void lower_node(Lowering& l) {
  const Node& node = l.node();
  const bool roi_form = l.opset() >= 11;
  Settings s{.mode = attribute(node, "mode", "nearest"),
             .nearest = attribute(node, "nearest_mode", "round_prefer_floor")};
  s.coordinates = attribute(node, "coordinate_transformation_mode", "half_pixel");
  if (!roi_form) {  // opset 10 knows one way only
    s.coordinates = "asymmetric";
    s.nearest = "floor";
  }
  s.cubic = static_cast<double>(attribute(node, "cubic_coeff_a", -0.75f));
  s.extrapolation = static_cast<double>(attribute(node, "extrapolation_value", 0.0f));
  s.exclude_outside = attribute(node, "exclude_outside", std::int64_t{0}) != 0;
  s.antialias = attribute(node, "antialias", std::int64_t{0}) != 0;
  const SlotId x = l.in(0), out = l.out();
  const auto rank = static_cast<std::size_t>(l.rank(x));
  Dims axes;
  for (std::int64_t axis = 0; axis < l.rank(x); ++axis) axes.push_back(axis);
  if (const auto given = attribute_ints(node, "axes")) {
    axes.clear();
    for (const std::int64_t axis : *given) axes.push_back(l.axis(axis, l.rank(x)));
  }
  const std::size_t scales_at = roi_form ? 2 : 1;
  std::optional<std::vector<double>> scales, roi;
  std::optional<Dims> sizes;
  if (l.has(scales_at) && l.elements(l.in(scales_at)) > 0) scales = l.numbers(scales_at);
  if (roi_form && l.has(3) && l.elements(l.in(3)) > 0) sizes = l.integers(3);
  if (s.coordinates == "tf_crop_and_resize") roi = l.numbers(1);
  if (l.failed()) return;
  std::vector<Axis> plan(rank);
  for (std::size_t i = 0; i < rank; ++i) plan[i] = {.in = l.dims(x)[i], .out = l.dims(out)[i]};
  double uniform = 0;  // of keep_aspect_ratio_policy
  const std::string policy = attribute(node, "keep_aspect_ratio_policy", "stretch");
  for (std::size_t k = 0; k < axes.size(); ++k) {
    Axis& a = plan[static_cast<std::size_t>(axes[k])];
    if (scales ? scales->size() != axes.size() : !sizes || sizes->size() != axes.size())
      return l.reject("scales or sizes do not fit the axes");
    a.scale = scales ? (*scales)[k] : static_cast<double>((*sizes)[k]) / static_cast<double>(a.in);
    if (!(a.scale > 0)) return l.reject("a scale must be positive");
    uniform = k == 0 ? a.scale : policy == "not_larger" ? std::min(uniform, a.scale) : std::max(uniform, a.scale);
    if (roi && roi->size() == 2 * axes.size()) {
      a.roi_start = (*roi)[k];
      a.roi_end = (*roi)[axes.size() + k];
    }
  }
  std::vector<std::size_t> changed;
  for (const std::int64_t axis : axes) {
    Axis& a = plan[static_cast<std::size_t>(axis)];
    if (!scales && policy != "stretch") a.scale = uniform;
    if (a.in != a.out || a.scale != 1 || roi) changed.push_back(static_cast<std::size_t>(axis));
  }
  if (l.elements(x) == 0) return l.reject("an image without elements cannot be resized");
  if (changed.empty()) return l.alias(x, out);
  SlotId now = x;
  for (std::size_t k = 0; k < changed.size(); ++k)
    now = resize_axis(l, s, now, changed[k], plan[changed[k]], k + 1 == changed.size() ? out : no_slot);
}

}  // namespace

AEGIS_OP(resize) = {
    .name = "Resize",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::spatial,
    .risk = Risk::map,
    .lower = lower_node,
};
