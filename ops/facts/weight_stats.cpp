// One pass over a constant's payload. What can be counted (range, zeros, what overflows or vanishes in FP16 and BF16)
// is counted by the vectorised scan; sums of channels, which need real arithmetic, by element and only for the format
// that the model is judged in.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/round.hpp"
#include "model/scan.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/payloads.hpp"

using namespace aegis;

namespace {

constexpr std::int64_t most_channels = 1 << 20;  // sums are kept for each; more are summed as one
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

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

// The bits of a stored number are a number that is counted here, by its magnitude.
struct Layout {
  std::uint32_t infinity = 0;
  // The first magnitude that overflows, that does not vanish, that is normal: in FP16, then in BF16. What none reaches
  // is infinity's.
  std::array<std::uint32_t, scan_limits> limits{};
};
constexpr Layout wide{0x7f800000, {0x477ff000, 0x33000001, 0x38800000, 0x7f7f8000, 0x00008001, 0x00800000}};
constexpr Layout as_half{0x7c00, {0x7c00, 1, 0x0400, 0x7c00, 1, 1}};
constexpr Layout as_brain{0x7f80, {0x4780, 0x3301, 0x3880, 0x7f80, 1, 0x0080}};

double number(std::uint32_t bits, DType) { return static_cast<double>(std::bit_cast<float>(bits)); }
double number(std::uint16_t bits, DType type) {
  return static_cast<double>(type == DType::f16 ? f16_value(bits) : bf16_value(bits));
}

// Counts by scan().
template <class Word>
class Counts {
 public:
  explicit Counts(const Layout& layout) {
    asked_.infinity = static_cast<Word>(layout.infinity);
    for (std::size_t i = 0; i < scan_limits; ++i) asked_.limits[i] = static_cast<Word>(layout.limits[i]);
  }
  void add(std::span<const std::byte> bytes) {
    words_.resize(bytes.size() / sizeof(Word));
    std::memcpy(words_.data(), bytes.data(), words_.size() * sizeof(Word));
    scan(std::span<const Word>(words_), asked_, sums_);
  }
  void finish(DType type, aegis_weight_stats& fact) const {
    fact.count = static_cast<double>(sums_.count);
    fact.zeros = static_cast<double>(sums_.zeros);
    fact.nonfinite = static_cast<double>(sums_.nonfinite);
    const std::uint64_t finite = sums_.count - sums_.nonfinite, filled = finite - sums_.zeros;
    if (finite > 0) {
      fact.min = number(sums_.least, type);
      fact.max = number(sums_.greatest, type);
      fact.absmax = std::max(std::fabs(fact.min), std::fabs(fact.max));
    }
    if (filled > 0) fact.absmin = number(sums_.smallest, type);
    const auto narrowing = [&](std::size_t first, aegis_narrowing& out) {
      out.overflowed = static_cast<double>(sums_.at_least[first]);
      out.flushed = static_cast<double>(filled - sums_.at_least[first + 1]);
      out.subnormal = static_cast<double>(filled - sums_.at_least[first + 2]);
    };
    narrowing(0, fact.fp16);
    narrowing(3, fact.bf16);
  }

 private:
  ScanAsked<Word> asked_;
  ScanSums<Word> sums_;
  std::vector<Word> words_;
};

// The same of doubles, which are rare as weights.
class Doubles {
 public:
  void add(double x) {
    ++sums_.count;
    if (!std::isfinite(x)) {
      ++sums_.nonfinite;
      return;
    }
    const double size = std::fabs(x);
    low_ = std::min(low_, x);
    high_ = std::max(high_, x);
    if (x == 0) {
      ++sums_.zeros;
      return;
    }
    small_ = std::min(small_, size);
    count(half, size, sums_.fp16);
    count(brain, size, sums_.bf16);
  }
  void finish(aegis_weight_stats& fact) const {
    fact.count = sums_.count;
    fact.zeros = sums_.zeros;
    fact.nonfinite = sums_.nonfinite;
    if (sums_.count > sums_.nonfinite) {
      fact.min = low_;
      fact.max = high_;
      fact.absmax = std::max(std::fabs(low_), std::fabs(high_));
    }
    fact.absmin = small_;
    for (const auto& [from, to] : {std::pair{&sums_.fp16, &fact.fp16}, std::pair{&sums_.bf16, &fact.bf16}}) {
      to->overflowed = from->overflowed;
      to->flushed = from->flushed;
      to->subnormal = from->subnormal;
    }
  }

 private:
  static void count(const Format& format, double size, aegis_narrowing& out) {
    if (size >= format.infinite_from) ++out.overflowed;
    if (size <= format.zero_up_to) ++out.flushed;
    if (size < format.smallest_normal) ++out.subnormal;
  }
  aegis_weight_stats sums_{};
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_, small_ = low_;
};

// Sums of one channel, in the narrow type against the wide one.
struct Channel {
  double count = 0, nonzero = 0, flushed = 0, l1 = 0, subnormal_l1 = 0, sum = 0, squares = 0, error = 0,
         error_squares = 0;
};

struct Narrowing {
  Format format;
  std::vector<Channel> channels;

  void add(double x, Channel& c) const {
    const double size = std::fabs(x);
    c.l1 += size;
    ++c.count;
    if (size != 0) ++c.nonzero;
    if (size >= format.infinite_from) return;
    if (size != 0 && size <= format.zero_up_to) ++c.flushed;
    if (size != 0 && size < format.smallest_normal) c.subnormal_l1 += size;
    const double error = format.round(x) - x;
    c.sum += x;
    c.squares += x * x;
    c.error += error;
    c.error_squares += error * error;
  }

  void finish(aegis_narrowing& out) const {
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
  }
};

// Calls `take` with whole elements: a window of the source may end inside of one.
template <class Take>
Result<void> stream_elements(const TensorSource& source, std::size_t width, Take take) {
  std::vector<std::byte> rest;
  return source.stream([&](std::span<const std::byte> window) -> Result<void> {
    if (!rest.empty()) {
      const std::size_t missing = std::min(width - rest.size(), window.size());
      rest.insert(rest.end(), window.begin(), window.begin() + static_cast<std::ptrdiff_t>(missing));
      window = window.subspan(missing);
      if (rest.size() < width) return {};
      take(std::span<const std::byte>(rest));
      rest.clear();
    }
    const std::size_t whole = window.size() / width * width;
    take(window.first(whole));
    rest.assign(window.begin() + static_cast<std::ptrdiff_t>(whole), window.end());
    return {};
  });
}

const void* of_value(FactTable& table, ValueId id, aegis_absence& why) {
  const TensorSource* source = table.model().constant(id);
  if (!source) return nullptr;
  if (source->type != DType::f32 && source->type != DType::f64 && !is_narrow_float(source->type)) return nullptr;
  if (!table.view().weights) return why = AEGIS_NO_WEIGHTS, nullptr;
  const Payload* payload = table.analysis<Payloads>().of(id);
  if (payload != nullptr && !sound(*payload)) return why = AEGIS_NO_WEIGHTS, nullptr;

  auto* fact = table.make<aegis_weight_stats>();
  fact->channel_axis = source->dims.size() >= 2 ? channel_axis(table, id) : -1;
  std::int64_t inner = 1, channels = 1;
  if (fact->channel_axis >= static_cast<int>(source->dims.size()) ||
      (fact->channel_axis >= 0 && source->dims[static_cast<std::size_t>(fact->channel_axis)] > most_channels))
    fact->channel_axis = -1;
  if (fact->channel_axis >= 0) {
    const auto axis = static_cast<std::size_t>(fact->channel_axis);
    inner = element_count(std::span(source->dims).subspan(axis + 1));
    channels = std::max<std::int64_t>(1, source->dims[axis]);
  }
  const bool all = table.view().planned != AEGIS_DTYPE_FLOAT16 && table.view().planned != AEGIS_DTYPE_BFLOAT16;
  std::vector<std::pair<Narrowing, aegis_narrowing*>> formats;
  const std::vector<Channel> none(static_cast<std::size_t>(channels));
  if (all || table.view().planned == AEGIS_DTYPE_FLOAT16) formats.push_back({{half, none}, &fact->fp16});
  if (all || table.view().planned == AEGIS_DTYPE_BFLOAT16) formats.push_back({{brain, none}, &fact->bf16});
  for (aegis_narrowing* out : {&fact->fp16, &fact->bf16}) {
    const bool told = std::ranges::any_of(formats, [&](const auto& format) { return format.second == out; });
    if (!told) out->flushed_channel_share = out->subnormal_l1_share = out->centred_rel_l2 = unknown;
  }
  fact->min = fact->absmin = std::numeric_limits<double>::infinity();
  fact->max = -fact->min;

  Counts<std::uint32_t> words(wide);
  Counts<std::uint16_t> halves(source->type == DType::f16 ? as_half : as_brain);
  Doubles doubles;
  std::size_t channel = 0;
  std::int64_t left = inner;  // elements of this channel that follow
  const auto sum = [&](double x) {
    if (left == 0) {
      left = inner;
      channel = channel + 1 == static_cast<std::size_t>(channels) ? 0 : channel + 1;
    }
    --left;
    if (!std::isfinite(x)) return;
    for (auto& [format, out] : formats) format.add(x, format.channels[channel]);
  };
  const auto each = [&]<class T>(std::span<const std::byte> bytes, T, auto value) {
    for (; bytes.size() >= sizeof(T); bytes = bytes.subspan(sizeof(T))) {
      T word;
      std::memcpy(&word, bytes.data(), sizeof word);
      value(word);
    }
  };
  const std::size_t width = static_cast<std::size_t>(bits(source->type)) / 8;
  const auto read = stream_elements(*source, width, [&](std::span<const std::byte> bytes) {
    if (source->type == DType::f64) {
      each(bytes, 0.0, [&](double x) {
        doubles.add(x);
        sum(x);
      });
    } else if (source->type == DType::f32) {
      words.add(bytes);
      each(bytes, std::uint32_t{}, [&](std::uint32_t word) { sum(number(word, DType::f32)); });
    } else {
      halves.add(bytes);
      each(bytes, std::uint16_t{}, [&](std::uint16_t word) { sum(number(word, source->type)); });
    }
  });
  if (!read) return why = AEGIS_NO_WEIGHTS, nullptr;
  if (source->type == DType::f64)
    doubles.finish(*fact);
  else if (source->type == DType::f32)
    words.finish(source->type, *fact);
  else
    halves.finish(source->type, *fact);
  for (const auto& [format, out] : formats) format.finish(*out);
  return fact;
}

}  // namespace

AEGIS_FACT(weight_stats) = {.id = AEGIS_FACT_WEIGHT_STATS, .of_value = of_value};
