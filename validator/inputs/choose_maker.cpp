#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "validator/inputs/bounds.hpp"
#include "validator/inputs/maker.hpp"

namespace aegis {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The axis of 1 or 3 channels of a rank-4 tensor; -1 when it is no image.
int channel_axis(const std::vector<std::int64_t>& shape) {
  if (shape.size() != 4) return -1;
  if (shape[1] == 1 || shape[1] == 3) return 1;
  return shape[3] == 1 || shape[3] == 3 ? 3 : -1;
}

// Does the first arithmetic on the input bring 0..255 to 0..1?
bool divided_by_255(const Model& model, ValueId input) {
  for (int steps = 0; steps < 8 && input != ValueId::none; ++steps) {
    const auto& uses = model.value(input).uses;
    if (uses.size() != 1 || uses[0].node == NodeId::none) return false;
    const Node& node = model.node(uses[0].node);
    if (node.op == "Cast" || node.op == "Transpose" || node.op == "Identity") {
      input = node.outputs.empty() ? ValueId::none : node.outputs[0];
      continue;
    }
    if ((node.op != "Div" && node.op != "Mul") || node.inputs.size() != 2 || node.inputs[1] == ValueId::none)
      return false;
    const TensorSource* source = model.constant(node.inputs[1]);
    if (!source || source->elements() != 1) return false;
    const auto tensor = source->read();
    if (!tensor) return false;
    const auto value = to_doubles(*tensor);
    return value && (node.op == "Div" ? value->front() == 255 : std::fabs(value->front() * 255 - 1) < 1e-3);
  }
  return false;
}

std::pair<double, double> integer_limits(DType type) {
  switch (type) {
    case DType::u8: return {0, 256};
    case DType::i8: return {-128, 128};
    case DType::u4: return {0, 16};
    case DType::i4: return {-8, 8};
    default: return {0, 100};
  }
}

Maker of(Maker::Kind kind, std::string source, double low = 0, double high = 0) {
  return Maker{.kind = kind, .low = low, .high = high, .choices = {}, .declared = false, .source = std::move(source)};
}

}  // namespace

Maker choose_maker(const Model& model, const TypeTable& types, const InputSpec& spec,
                   const std::vector<std::int64_t>& shape, const MakeOptions& options) {
  using Kind = Maker::Kind;
  const bool floats = is_float(spec.dtype), boolean = spec.dtype == DType::boolean;
  const std::string name = lower(spec.name);
  const bool mask = name.find("mask") != std::string::npos;
  for (const auto& [glob, range] : options.ranges) {
    if (fnmatch(glob.c_str(), spec.name.c_str(), 0) != 0) continue;
    Maker maker =
        of(floats ? Kind::uniform : Kind::integers, fmt::format("declared range [{}, {}]", range.first, range.second),
           range.first, floats ? range.second : std::floor(range.second) + 1);
    maker.declared = true;
    return maker;
  }
  std::optional<InputBound> bound;
  if (!floats && !boolean) bound = bound_of(model, types, spec.id);
  if (name == "position_ids")
    return of(Kind::arange, "0, 1, 2 ... (name)", 0, bound ? static_cast<double>(bound->high) : 0);
  if (bound && !bound->choices.empty() && !mask) {
    Maker maker = of(Kind::choices, fmt::format("one of {} ({})", fmt::join(bound->choices, ", "), bound->because));
    maker.choices = bound->choices;
    return maker;
  }
  if (bound && bound->high > bound->low)
    return of(Kind::integers, fmt::format("integers in [{}, {}) ({})", bound->low, bound->high, bound->because),
              static_cast<double>(bound->low), static_cast<double>(bound->high));
  if (mask) return of(Kind::mask, "ones with a tail of zeros (name)");
  if (name.starts_with("past") || name == "state" || name == "h" || name == "c")
    return of(floats ? Kind::state : Kind::constant, floats ? "zeros in set 0, then normal (name)" : "zeros (name)");
  if (name.find("timestep") != std::string::npos)
    return of(floats ? Kind::uniform : Kind::integers, "0..999 (name)", 0, floats ? 999 : 1000);
  if (name == "sr") return of(Kind::constant, "16000 (name)", 16000);
  if (boolean) return of(Kind::bits, "0 or 1");
  if (channel_axis(shape) >= 0) {
    const bool wide = spec.dtype == DType::u8 || divided_by_255(model, spec.id);
    return of(Kind::image,
              wide ? "smooth pattern with noise in 0..255 (shape)" : "smooth pattern with noise in 0..1 (shape)", 0,
              wide ? 255 : 1);
  }
  if (!floats) {
    const auto [low, high] = integer_limits(spec.dtype);
    return of(Kind::integers, fmt::format("integers in [{}, {})", low, high), low, high);
  }
  if (!shape.empty() && shape.size() <= 3 && shape.back() >= 4000)
    return of(Kind::waves, "sum of sines with noise (shape)");
  return of(Kind::normal, "normal");
}

}  // namespace aegis
