// The elements of a constant as double, whatever float or integer type it is stored in.
#pragma once

#include <aegis/aegis.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace aegis::sdk {

namespace detail {
template <class T>
T load(const void* data, std::size_t i) {
  T out;
  std::memcpy(&out, static_cast<const std::byte*>(data) + i * sizeof(T), sizeof(T));
  return out;
}
inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = (bits & 1023) / 1024.0;
  const double magnitude = exponent == 31  ? fraction == 0 ? std::numeric_limits<double>::infinity()
                                                           : std::numeric_limits<double>::quiet_NaN()
                            : exponent == 0 ? std::ldexp(fraction, -14)
                                           : std::ldexp(1 + fraction, exponent - 15);
  return bits & 0x8000 ? -magnitude : magnitude;
}
}  // namespace detail

inline std::size_t count(const aegis_tensor& tensor) {
  std::size_t out = 1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i) out *= static_cast<std::size_t>(tensor.dims[i]);
  return out;
}

// NaN for types that are no numbers.
inline double element(const aegis_tensor& tensor, std::size_t i) {
  switch (tensor.dtype) {
    case AEGIS_DTYPE_FLOAT: return static_cast<double>(detail::load<float>(tensor.data, i));
    case AEGIS_DTYPE_DOUBLE: return detail::load<double>(tensor.data, i);
    case AEGIS_DTYPE_FLOAT16: return detail::half_value(detail::load<std::uint16_t>(tensor.data, i));
    case AEGIS_DTYPE_BFLOAT16:
      return static_cast<double>(
          std::bit_cast<float>(std::uint32_t{detail::load<std::uint16_t>(tensor.data, i)} << 16));
    case AEGIS_DTYPE_INT64: return static_cast<double>(detail::load<std::int64_t>(tensor.data, i));
    case AEGIS_DTYPE_INT32: return detail::load<std::int32_t>(tensor.data, i);
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

// The value of a constant of one element, of any rank; NaN for more, for none and for no constant.
inline double scalar(const aegis_tensor* tensor) {
  return tensor && count(*tensor) == 1 ? element(*tensor, 0) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace aegis::sdk
