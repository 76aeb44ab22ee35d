#include "model/tensor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "model/external.hpp"
#include "model/file.hpp"
#include "model/round.hpp"

namespace aegis {
namespace {

Error bad_payload(std::string message) {
  return Error{.fault = Fault::file, .code = "ST503", .message = std::move(message)};
}

bool is_varint(TensorSource::Field field) {
  return field == TensorSource::Field::int32_data || field == TensorSource::Field::int64_data ||
         field == TensorSource::Field::uint64_data;
}

// Decodes packed varints that arrive in pieces into little-endian elements of `width` bytes.
class VarintDecoder {
 public:
  VarintDecoder(std::size_t width, const Sink& sink) : width_(width), sink_(sink) {}

  Result<void> feed(std::span<const std::byte> piece) {
    out_.clear();
    for (const std::byte b : piece) {
      const auto bits = std::to_integer<std::uint64_t>(b);
      if (shift_ > 63) return bad_payload("holds a varint longer than 10 bytes; the file is damaged");
      value_ |= (bits & 0x7f) << shift_;
      shift_ += 7;
      if (bits & 0x80) continue;
      for (std::size_t i = 0; i < width_; ++i) out_.push_back(static_cast<std::byte>((value_ >> (8 * i)) & 0xff));
      value_ = 0;
      shift_ = 0;
    }
    total_ += out_.size();
    return sink_(out_);
  }
  bool in_the_middle() const { return shift_ != 0; }
  std::uint64_t total() const { return total_; }

 private:
  std::size_t width_;
  const Sink& sink_;
  Bytes out_;
  std::uint64_t value_ = 0, total_ = 0;
  unsigned shift_ = 0;
};

}  // namespace

std::int64_t element_count(std::span<const std::int64_t> dims) {
  std::int64_t count = 1;
  for (const std::int64_t d : dims)
    if (d == 0) return 0;
  for (const std::int64_t d : dims) {
    if (d < 0) return 0;
    if (count > std::numeric_limits<std::int64_t>::max() / d) return std::numeric_limits<std::int64_t>::max();
    count *= d;
  }
  return count;
}

Tensor Tensor::zeros(DType type, std::vector<std::int64_t> dims) {
  Tensor t{.type = type, .dims = std::move(dims), .data = nullptr};
  t.data = std::make_shared<Bytes>(raw_bytes(type, static_cast<std::uint64_t>(t.elements())));
  return t;
}

std::uint64_t TensorSource::stored_size() const {
  if (const auto* own = std::get_if<Owned>(&from)) return (*own)->size();
  if (const auto* span = std::get_if<Span>(&from)) return span->length;
  if (const auto* external = std::get_if<External>(&from)) return external->length;
  return raw_size();
}

namespace {

Result<void> stream_span(const TensorSource::Span& span, const Sink& sink, std::size_t window) {
  Bytes buffer(static_cast<std::size_t>(std::min<std::uint64_t>(window, span.length)));
  for (std::uint64_t done = 0; done < span.length;) {
    const auto piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), span.length - done)));
    AEGIS_CHECK(span.file->read(span.offset + done, piece));
    AEGIS_CHECK(sink(piece));
    done += piece.size();
  }
  return {};
}

}  // namespace

Result<void> TensorSource::stream_stored(const Sink& sink, std::size_t window) const {
  if (const auto* own = std::get_if<Owned>(&from)) return sink(std::as_bytes(std::span(**own)));
  if (const auto* made = std::get_if<Made>(&from)) return (*made)->make(sink);
  if (const auto* span = std::get_if<Span>(&from)) return stream_span(*span, sink, window);
  AEGIS_TRY(const Span span, open_external(std::get<External>(from)));
  return stream_span(span, sink, window);
}

Result<void> TensorSource::stream(const Sink& sink, std::size_t window) const {
  if (type == DType::string) return bad_payload("holds strings, expected numbers");
  if (std::holds_alternative<Made>(from) || !is_varint(field)) {
    if (stored_size() != raw_size())
      return bad_payload(fmt::format("holds {} bytes, its type {} and extents ask for {}; write the tensor again",
                                     stored_size(), name(type), raw_size()));
    return stream_stored(sink, window);
  }
  // ONNX keeps 8- and 16-bit types (and pairs of 4-bit ones) one to an int32_data entry.
  const int width = bits(type);
  VarintDecoder decoder(static_cast<std::size_t>(width < 8 ? 1 : width / 8), sink);
  AEGIS_CHECK(stream_stored([&](std::span<const std::byte> piece) { return decoder.feed(piece); }, window));
  if (decoder.in_the_middle() || decoder.total() != raw_size())
    return bad_payload(
        fmt::format("holds {} bytes of elements, its type {} and extents ask for {}; write the tensor again",
                    decoder.total(), name(type), raw_size()));
  return {};
}

Result<Tensor> TensorSource::read() const {
  Tensor tensor{.type = type, .dims = dims, .data = std::make_shared<Bytes>()};
  tensor.data->reserve(std::holds_alternative<Made>(from) ? raw_size() : std::min(raw_size(), stored_size() * 8));
  AEGIS_CHECK(stream([&](std::span<const std::byte> piece) -> Result<void> {
    tensor.data->insert(tensor.data->end(), piece.begin(), piece.end());
    return {};
  }));
  return tensor;
}

TensorSource TensorSource::owned(const Tensor& tensor) {
  const auto* bytes = reinterpret_cast<const char*>(tensor.data->data());
  return TensorSource{.type = tensor.type,
                      .dims = tensor.dims,
                      .field = Field::raw,
                      .from = std::make_shared<const std::string>(bytes, tensor.data->size())};
}

TensorSource TensorSource::made(DType type, std::vector<std::int64_t> dims, std::shared_ptr<const Recipe> recipe) {
  return TensorSource{.type = type, .dims = std::move(dims), .field = Field::raw, .from = std::move(recipe)};
}

namespace {

// Calls `each` with every element widened to Wide; false when the type is not numeric.
template <class Wide, class Each>
bool widen(const Tensor& tensor, Each each) {
  const auto n = static_cast<std::size_t>(tensor.elements());
  const auto all = [&]<class T>(const T* p) {
    for (std::size_t i = 0; i < n; ++i) each(static_cast<Wide>(p[i]));
  };
  switch (tensor.type) {
    case DType::f32: all(tensor.as<float>()); return true;
    case DType::f64: all(tensor.as<double>()); return true;
    case DType::i8: all(tensor.as<std::int8_t>()); return true;
    case DType::u8:
    case DType::boolean: all(tensor.as<std::uint8_t>()); return true;
    case DType::i16: all(tensor.as<std::int16_t>()); return true;
    case DType::u16: all(tensor.as<std::uint16_t>()); return true;
    case DType::i32: all(tensor.as<std::int32_t>()); return true;
    case DType::u32: all(tensor.as<std::uint32_t>()); return true;
    case DType::i64: all(tensor.as<std::int64_t>()); return true;
    case DType::u64: all(tensor.as<std::uint64_t>()); return true;
    case DType::f16:
      for (std::size_t i = 0; i < n; ++i) each(static_cast<Wide>(f16_value(tensor.as<std::uint16_t>()[i])));
      return true;
    case DType::bf16:
      for (std::size_t i = 0; i < n; ++i) each(static_cast<Wide>(bf16_value(tensor.as<std::uint16_t>()[i])));
      return true;
    default: return false;
  }
}

}  // namespace

Result<std::vector<std::int64_t>> to_integers(const Tensor& tensor) {
  std::vector<std::int64_t> out;
  if (is_float(tensor.type) || !widen<std::int64_t>(tensor, [&](std::int64_t v) { out.push_back(v); }))
    return bad_payload(fmt::format("holds {}, expected integers", name(tensor.type)));
  return out;
}

Result<std::vector<double>> to_doubles(const Tensor& tensor) {
  std::vector<double> out;
  if (!widen<double>(tensor, [&](double v) { out.push_back(v); }))
    return bad_payload(fmt::format("holds {}, expected numbers", name(tensor.type)));
  return out;
}

namespace {

// DOUBLE to a narrow type rounds once: through FP32 with round-to-odd, whose extra bits make the second rounding exact.
float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value) return nearest;
  const bool away = std::abs(static_cast<double>(nearest)) > std::abs(value);
  std::uint32_t u = std::bit_cast<std::uint32_t>(nearest);
  if (away) --u;  // truncate towards zero (infinity becomes the largest finite value)
  return std::bit_cast<float>(u | 1u);
}

// Integers truncate, saturate at the ends of their type, and are 0 for NaN.
template <class T>
T converted(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  }
}

}  // namespace

Tensor from_doubles(DType type, std::vector<std::int64_t> dims, std::span<const double> values) {
  Tensor t = Tensor::zeros(type, std::move(dims));
  const auto fill = [&]<class T>(T*, auto convert) {
    for (std::size_t i = 0; i < values.size(); ++i) t.as_mutable<T>()[i] = convert(values[i]);
  };
  const auto cast = [&]<class T>(T* tag) { fill(tag, converted<T>); };
  switch (type) {
    case DType::f32: cast(static_cast<float*>(nullptr)); break;
    case DType::f64: cast(static_cast<double*>(nullptr)); break;
    case DType::i8: cast(static_cast<std::int8_t*>(nullptr)); break;
    case DType::u8: cast(static_cast<std::uint8_t*>(nullptr)); break;
    case DType::boolean:
      fill(static_cast<std::uint8_t*>(nullptr), [](double v) { return std::uint8_t{v != 0}; });
      break;
    case DType::i16: cast(static_cast<std::int16_t*>(nullptr)); break;
    case DType::u16: cast(static_cast<std::uint16_t*>(nullptr)); break;
    case DType::i32: cast(static_cast<std::int32_t*>(nullptr)); break;
    case DType::u32: cast(static_cast<std::uint32_t*>(nullptr)); break;
    case DType::i64: cast(static_cast<std::int64_t*>(nullptr)); break;
    case DType::u64: cast(static_cast<std::uint64_t*>(nullptr)); break;
    case DType::f16:
      fill(static_cast<std::uint16_t*>(nullptr), [](double v) { return f16_bits(round_to_odd(v)); });
      break;
    case DType::bf16:
      fill(static_cast<std::uint16_t*>(nullptr), [](double v) { return bf16_bits(round_to_odd(v)); });
      break;
    default: break;
  }
  return t;
}

Tensor from_integers(std::vector<std::int64_t> dims, std::span<const std::int64_t> values) {
  Tensor t = Tensor::zeros(DType::i64, std::move(dims));
  if (!values.empty()) std::memcpy(t.data->data(), values.data(), values.size_bytes());
  return t;
}

}  // namespace aegis
