// One pass over a constant's payload: range, zeros, and what rounding it to FP16 and BF16 would do, by channel.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/round.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

// Axis of output channels: 0 of a convolution's weight, the N axis of a product's; -1 for others.
int channel_axis(FactTable& table, ValueId id) {
  const Model& model = table.model();
  for (const Use& use : model.value(id).uses) {
    if (use.node == NodeId::none) continue;
    if (const auto* conv = table.get<aegis_conv>(use.node); conv && id_of(conv->w) == id)
      return (conv->flags & AEGIS_CONV_TRANSPOSED) ? 1 : 0;
    const auto gemm = gemm_shape(table, use.node);
    if (gemm && gemm->n.value == id) return gemm->n.axis;
  }
  return -1;
}

struct Format {
  double infinite_from, zero_up_to, smallest_normal;
  double (*round)(double);
};
double through_half(double x) { return static_cast<double>(round_f16(static_cast<float>(x))); }
double through_brain(double x) { return static_cast<double>(round_bf16(static_cast<float>(x))); }
constexpr Format half{65520, 0x1p-25, 0x1p-14, through_half};
constexpr Format brain{3.39617752923046e38, 0x1p-134, 0x1p-126, through_brain};

// Sums of one channel, in the narrow type against the wide one.
struct Channel {
  double count = 0, nonzero = 0, flushed = 0, l1 = 0, subnormal_l1 = 0, sum = 0, squares = 0, error = 0,
         error_squares = 0;
};

struct Narrowing {
  Format format;
  std::vector<Channel> channels;
  aegis_narrowing out{};

  void add(double x, std::size_t channel) {
    Channel& c = channels[channel];
    const double size = std::fabs(x);
    if (!std::isfinite(x)) return;
    c.l1 += size;
    ++c.count;
    if (size != 0) ++c.nonzero;
    if (size >= format.infinite_from) {
      ++out.overflowed;
      return;
    }
    if (size != 0 && size <= format.zero_up_to) ++out.flushed, ++c.flushed;
    if (size != 0 && size < format.smallest_normal) ++out.subnormal, c.subnormal_l1 += size;
    const double error = format.round(x) - x;
    c.sum += x;
    c.squares += x * x;
    c.error += error;
    c.error_squares += error * error;
  }

  aegis_narrowing finish() {
    double error = 0, energy = 0, gone = 0, filled = 0;
    for (const Channel& c : channels) {
      if (c.count == 0) continue;
      if (c.nonzero > 0) ++filled;
      if (c.l1 > 0) out.subnormal_l1_share = std::max(out.subnormal_l1_share, c.subnormal_l1 / c.l1);
      if (c.nonzero > 0 && c.flushed == c.nonzero) ++gone;
      error += c.error_squares - c.error * c.error / c.count;
      energy += c.squares - c.sum * c.sum / c.count;
    }
    out.flushed_channel_share = filled > 0 ? gone / filled : 0;
    out.centred_rel_l2 = energy > 0 ? std::sqrt(std::max(0.0, error) / energy) : 0;
    return out;
  }
};

const void* of_value(FactTable& table, ValueId id, aegis_absence& why) {
  const TensorSource* source = table.model().constant(id);
  if (!source) return nullptr;
  if (source->type != DType::f32 && source->type != DType::f64 && !is_narrow_float(source->type)) return nullptr;
  if (!table.view().weights) return why = AEGIS_NO_WEIGHTS, nullptr;

  auto* fact = table.make<aegis_weight_stats>();
  fact->channel_axis = source->dims.size() >= 2 ? channel_axis(table, id) : -1;
  std::int64_t inner = 1, channels = 1;
  if (fact->channel_axis >= 0 && static_cast<std::size_t>(fact->channel_axis) < source->dims.size()) {
    const auto axis = static_cast<std::size_t>(fact->channel_axis);
    inner = element_count(std::span(source->dims).subspan(axis + 1));
    channels = std::max<std::int64_t>(1, source->dims[axis]);
  }
  Narrowing fp16{.format = half, .channels = std::vector<Channel>(static_cast<std::size_t>(channels))};
  Narrowing bf16{.format = brain, .channels = fp16.channels};
  fact->min = fact->absmin = std::numeric_limits<double>::infinity();
  fact->max = -fact->min;
  std::int64_t at = 0;
  const std::size_t width = static_cast<std::size_t>(bits(source->type)) / 8;
  std::vector<std::byte> rest;  // an element that a window cuts in two
  const auto element = [&](const std::byte* bytes) {
    double x = 0;
    if (source->type == DType::f64) {
      std::memcpy(&x, bytes, sizeof x);
    } else if (source->type == DType::f32) {
      float f = 0;
      std::memcpy(&f, bytes, sizeof f);
      x = static_cast<double>(f);
    } else {
      std::uint16_t word = 0;
      std::memcpy(&word, bytes, sizeof word);
      x = static_cast<double>(source->type == DType::f16 ? f16_value(word) : bf16_value(word));
    }
    ++fact->count;
    const auto channel = static_cast<std::size_t>(inner > 0 ? at / inner % channels : 0);
    ++at;
    if (!std::isfinite(x)) {
      ++fact->nonfinite;
      return;
    }
    fact->min = std::min(fact->min, x);
    fact->max = std::max(fact->max, x);
    fact->absmax = std::max(fact->absmax, std::fabs(x));
    if (x == 0)
      ++fact->zeros;
    else
      fact->absmin = std::min(fact->absmin, std::fabs(x));
    fp16.add(x, channel);
    bf16.add(x, channel);
  };
  const auto read = source->stream([&](std::span<const std::byte> window) -> Result<void> {
    while (!rest.empty() && rest.size() < width && !window.empty()) {
      rest.push_back(window.front());
      window = window.subspan(1);
    }
    if (rest.size() == width) {
      element(rest.data());
      rest.clear();
    }
    for (; window.size() >= width; window = window.subspan(width)) element(window.data());
    rest.insert(rest.end(), window.begin(), window.end());
    return {};
  });
  if (!read) return why = AEGIS_NO_WEIGHTS, nullptr;
  fact->fp16 = fp16.finish();
  fact->bf16 = bf16.finish();
  return fact;
}

}  // namespace

AEGIS_FACT(weight_stats) = {.id = AEGIS_FACT_WEIGHT_STATS, .of_value = of_value};
