#include "rewriter/recast/cast_recipe.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "model/round.hpp"

namespace aegis::recast {
namespace {

std::uint16_t narrow_bits(float value, DType to) { return to == DType::bf16 ? bf16_bits(value) : f16_bits(value); }

// A double as a float rounded to odd: truncated, with the last bit set when anything was cut. A float so made has the
// bits that a second rounding to a shorter format needs, so the two together round once.
float to_odd(double value) {
  float rounded = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(rounded) == value) return rounded;
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(value)) rounded = std::nextafter(rounded, 0.0F);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) | 1U);
}

template <class T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::uint16_t convert(const std::byte* bytes, DType from, DType to) {
  switch (from) {
    case DType::f32: return narrow_bits(load<float>(bytes), to);
    case DType::f64: return narrow_bits(to_odd(load<double>(bytes)), to);
    case DType::f16: return narrow_bits(f16_value(load<std::uint16_t>(bytes)), to);
    default: return narrow_bits(bf16_value(load<std::uint16_t>(bytes)), to);
  }
}

class CastRecipe final : public Recipe {
 public:
  CastRecipe(TensorSource source, DType to) : source_(std::move(source)), to_(to) {}

  Result<void> make(const Sink& sink) const override {
    const std::size_t step = static_cast<std::size_t>(bits(source_.type)) / 8;
    if (step == 0 || (source_.type != DType::f32 && source_.type != DType::f64 && !is_narrow_float(source_.type))) {
      return Error{.message = fmt::format("a constant of type {} was asked for in {}, expected a float type",
                                          name(source_.type), name(to_))};
    }
    Bytes pending, block;  // `pending`: an element that a window cut in two
    return source_.stream([&](std::span<const std::byte> bytes) -> Result<void> {
      block.clear();
      const auto put = [&](const std::byte* element) {
        const std::uint16_t made = convert(element, source_.type, to_);
        block.push_back(static_cast<std::byte>(made & 0xff));
        block.push_back(static_cast<std::byte>(made >> 8));
      };
      if (!pending.empty()) {
        const std::size_t missing = std::min(step - pending.size(), bytes.size());
        pending.insert(pending.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(missing));
        bytes = bytes.subspan(missing);
        if (pending.size() == step) {
          put(pending.data());
          pending.clear();
        }
      }
      for (; bytes.size() >= step; bytes = bytes.subspan(step)) put(bytes.data());
      pending.insert(pending.end(), bytes.begin(), bytes.end());
      return block.empty() ? Result<void>{} : sink(block);
    });
  }

 private:
  TensorSource source_;
  DType to_;
};

}  // namespace

std::uint16_t narrow_bits(double value, DType to) { return narrow_bits(to_odd(value), to); }

TensorSource cast_source(const TensorSource& source, DType to) {
  return TensorSource::made(to, source.dims, std::make_shared<CastRecipe>(source, to));
}

}  // namespace aegis::recast
