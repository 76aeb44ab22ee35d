#include <algorithm>
#include <cmath>

#include "validator/inputs/maker.hpp"
#include "validator/inputs/rng.hpp"

namespace aegis {
namespace {

// A sine by two parabolas, `turns` in whole circles; within 0.06 of the true one and free of libm.
double wave(double turns) {
  const double f = turns - std::floor(turns);
  return f < 0.5 ? 16 * f * (0.5 - f) : -16 * (f - 0.5) * (1 - f);
}

class Elements {
 public:
  Elements(const Maker& maker, const std::vector<std::int64_t>& shape, Stream stream, int set, SetKind kind)
      : maker_(maker), shape_(shape), stream_(stream), set_(set), kind_(kind) {
    row_ = shape.empty() ? 1 : std::max<std::int64_t>(1, shape.back());
    nhwc_ = shape.size() == 4 && shape[1] != 1 && shape[1] != 3;
  }

  double at(std::int64_t flat) const {
    const auto i = static_cast<std::uint64_t>(flat);
    switch (maker_.kind) {
      case Maker::Kind::normal: return stream_.normal(i);
      case Maker::Kind::uniform: return maker_.low + (maker_.high - maker_.low) * stream_.uniform(i);
      case Maker::Kind::integers:
        return static_cast<double>(
            stream_.integer(i, static_cast<std::int64_t>(maker_.low), static_cast<std::int64_t>(maker_.high)));
      case Maker::Kind::choices: return static_cast<double>(maker_.choices[stream_.bits(i) % maker_.choices.size()]);
      case Maker::Kind::bits: return static_cast<double>(stream_.bits(i) & 1);
      case Maker::Kind::mask: return flat % row_ < kept(flat / row_) ? 1 : 0;
      case Maker::Kind::arange: {
        const auto place = static_cast<double>(flat % row_);
        return maker_.high > 0 ? std::min(place, maker_.high - 1) : place;
      }
      case Maker::Kind::state: return set_ == 0 ? 0 : stream_.normal(i);
      case Maker::Kind::constant: return maker_.low;
      case Maker::Kind::image: return maker_.high * pixel(flat);
      case Maker::Kind::waves: return sample(flat);
    }
    return 0;
  }

 private:
  // How many elements of a mask's row are ones. Draws beyond every element's own.
  std::int64_t kept(std::int64_t row) const {
    const std::uint64_t draw = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(row);
    switch (kind_) {
      case SetKind::ragged: return stream_.integer(draw, 1, row_ + 1);
      case SetKind::masked: return row == 0 ? 0 : row_;
      default: return row_ - stream_.integer(draw, 0, row_ / 4 + 1);
    }
  }

  double pixel(std::int64_t flat) const {
    const std::int64_t last = shape_[3], inner = shape_[2];
    const std::int64_t d = flat % last, c = flat / last % inner, b = flat / last / inner;
    const std::int64_t x = nhwc_ ? c : d, y = nhwc_ ? b % shape_[1] : c, channel = nhwc_ ? d : b;
    const double width = static_cast<double>(nhwc_ ? inner : last),
                 height = static_cast<double>(nhwc_ ? shape_[1] : inner);
    const std::uint64_t look = (std::uint64_t{1} << 41) + static_cast<std::uint64_t>(channel) * 4;
    const double fx = 1 + 2 * stream_.uniform(look), fy = 1 + 2 * stream_.uniform(look + 1),
                 phase = stream_.uniform(look + 2);
    const double smooth =
        wave(fx * static_cast<double>(x) / width + phase) * wave(fy * static_cast<double>(y) / height + phase);
    const double noise = stream_.uniform(static_cast<std::uint64_t>(flat)) - 0.5;
    return std::clamp(0.5 + 0.4 * smooth + 0.2 * noise, 0.0, 1.0);
  }

  double sample(std::int64_t flat) const {
    const std::int64_t place = flat % row_, row = flat / row_;
    double sum = 0.05 * stream_.normal(static_cast<std::uint64_t>(flat));
    for (std::uint64_t tone = 0; tone < 3; ++tone) {
      const std::uint64_t look = (std::uint64_t{1} << 41) + static_cast<std::uint64_t>(row) * 8 + tone * 2;
      const double cycles = 1 + stream_.uniform(look) * static_cast<double>(row_) / 16;
      sum += 0.25 * wave(cycles * static_cast<double>(place) / static_cast<double>(row_) + stream_.uniform(look + 1));
    }
    return sum;
  }

  const Maker& maker_;
  const std::vector<std::int64_t>& shape_;
  Stream stream_;
  int set_;
  SetKind kind_;
  std::int64_t row_ = 1;
  bool nhwc_ = false;
};

bool scales(Maker::Kind kind) {
  return kind == Maker::Kind::normal || kind == Maker::Kind::state || kind == Maker::Kind::image ||
         kind == Maker::Kind::waves;
}

}  // namespace

Tensor make_tensor(const Maker& maker, const InputSpec& spec, const std::vector<std::int64_t>& shape,
                   std::uint64_t seed, int set, SetKind kind) {
  const Elements elements(maker, shape, Stream(seed, spec.name + "#" + std::to_string(set)), set, kind);
  const double factor =
      kind == SetKind::scaled && is_float(spec.dtype) && scales(maker.kind) && !maker.declared ? 8 : 1;
  std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    double value = factor * elements.at(static_cast<std::int64_t>(i));
    if (is_float(spec.dtype))
      value = static_cast<double>(static_cast<float>(value));  // one number for every float type
    values[i] = value;
  }
  return from_doubles(spec.dtype, shape, values);
}

}  // namespace aegis
