#include "exec/kernels/convert.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "exec/kernels/float8.hpp"
#include "model/round.hpp"

namespace aegis::kernels {
namespace {

// Rounded to odd: a second rounding to fewer than 23 bits then gives what one rounding would have given.
float to_odd(double value) {
  const float near = static_cast<float>(value);
  if (double{near} == value || value != value) return near;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(near);
  const bool away = math::abs(double{near}) > math::abs(value);
  const std::uint32_t truncated = away ? bits - 1u : bits;
  return std::bit_cast<float>(truncated | 1u);
}
float to_odd(float value) { return value; }
template <class I>
  requires std::is_integral_v<I>
float to_odd(I value) {
  constexpr I wide = I{1} << 53;
  if (value < wide && (std::is_unsigned_v<I> || value > -wide)) return to_odd(static_cast<double>(value));
  const I low = value & I{0x7ff};  // beyond 2^53 a double drops up to 11 bits: keep them as one sticky bit
  return to_odd(static_cast<double>((value - low) | (low != 0 ? I{0x800} : I{0})));
}

template <class To, class From>
To number(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<To>) {
    const To result = static_cast<To>(value);
    return result != result ? std::numeric_limits<To>::quiet_NaN() : result;
  } else if constexpr (std::is_floating_point_v<From>) {
    if (value != value) return To(0);
    constexpr int digits = std::numeric_limits<To>::digits;
    constexpr From limit = static_cast<From>(std::uint64_t{1} << (digits - 1)) * From(2);  // 2^digits
    if (value >= limit) return std::numeric_limits<To>::max();
    if (value < (std::is_signed_v<To> ? -limit : From(0))) return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <class Stored, class C>
void load_numbers(const std::byte* data, std::int64_t first, std::int64_t count, C* to) {
  const Stored* from = reinterpret_cast<const Stored*>(data) + first;
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(from[i]);
}
template <class Stored, class C>
void store_numbers(const C* from, std::int64_t count, std::byte* data, std::int64_t first) {
  Stored* to = reinterpret_cast<Stored*>(data) + first;
  for (std::int64_t i = 0; i < count; ++i) to[i] = number<Stored>(from[i]);
}

int sub_byte_bits(DType type) {
  switch (type) {
    case DType::u4:
    case DType::i4:
    case DType::f4e2m1: return 4;
    case DType::u2:
    case DType::i2: return 2;
    default: return 0;
  }
}
bool is_signed_sub_byte(DType type) { return type == DType::i4 || type == DType::i2; }

// Packed types: element i lies in the low bits first.
template <class C>
void load_packed(DType type, const std::byte* data, std::int64_t first, std::int64_t count, C* to) {
  const int width = sub_byte_bits(type), per_byte = 8 / width, mask = (1 << width) - 1;
  for (std::int64_t i = first; i < first + count; ++i) {
    const int raw = (std::to_integer<int>(data[i / per_byte]) >> (width * static_cast<int>(i % per_byte))) & mask;
    if (type == DType::f4e2m1)
      to[i - first] = static_cast<C>(decode(mini_float(type), static_cast<std::uint8_t>(raw)));
    else
      to[i - first] = static_cast<C>(is_signed_sub_byte(type) && raw > mask / 2 ? raw - mask - 1 : raw);
  }
}
template <class C>
void store_packed(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first, bool wrap) {
  const int width = sub_byte_bits(type), per_byte = 8 / width, mask = (1 << width) - 1;
  for (std::int64_t i = first; i < first + count; ++i) {
    int raw = 0;
    if (type == DType::f4e2m1) {
      raw = encode(mini_float(type), static_cast<double>(from[i - first]), true);
    } else if constexpr (std::is_floating_point_v<C>) {
      const int low = is_signed_sub_byte(type) ? -(mask + 1) / 2 : 0;
      const int whole = number<int>(from[i - first]);
      raw = (wrap ? whole : std::clamp(whole, low, low + mask)) & mask;
    } else {
      raw = static_cast<int>(static_cast<std::uint64_t>(from[i - first]) & static_cast<std::uint64_t>(mask));
    }
    std::byte& byte = data[i / per_byte];
    const int shift = width * static_cast<int>(i % per_byte);
    byte = static_cast<std::byte>((std::to_integer<int>(byte) & ~(mask << shift)) | (raw << shift));
  }
}

template <class C>
void store_as(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first, bool saturate,
              bool wrap) {
  switch (type) {
    case DType::f32: return store_numbers<float>(from, count, data, first);
    case DType::f64: return store_numbers<double>(from, count, data, first);
    case DType::i8: return store_numbers<std::int8_t>(from, count, data, first);
    case DType::i16: return store_numbers<std::int16_t>(from, count, data, first);
    case DType::i32: return store_numbers<std::int32_t>(from, count, data, first);
    case DType::i64: return store_numbers<std::int64_t>(from, count, data, first);
    case DType::u8: return store_numbers<std::uint8_t>(from, count, data, first);
    case DType::u16: return store_numbers<std::uint16_t>(from, count, data, first);
    case DType::u32: return store_numbers<std::uint32_t>(from, count, data, first);
    case DType::u64: return store_numbers<std::uint64_t>(from, count, data, first);
    case DType::boolean: return store_numbers<bool>(from, count, data, first);
    case DType::bf16: {
      std::uint16_t* to = reinterpret_cast<std::uint16_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = bf16_bits(to_odd(from[i]));
      return;
    }
    case DType::f16: {
      std::uint16_t* to = reinterpret_cast<std::uint16_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = f16_bits(to_odd(from[i]));
      return;
    }
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz: {
      const MiniFloat format = mini_float(type);
      std::uint8_t* to = reinterpret_cast<std::uint8_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = encode(format, static_cast<double>(from[i]), saturate);
      return;
    }
    case DType::u4:
    case DType::i4:
    case DType::u2:
    case DType::i2:
    case DType::f4e2m1: return store_packed(type, from, count, data, first, wrap);
    default: return;
  }
}

}  // namespace

template <class C>
void load(DType type, const std::byte* data, std::int64_t first, std::int64_t count, C* to) {
  switch (type) {
    case DType::f32: return load_numbers<float>(data, first, count, to);
    case DType::f64: return load_numbers<double>(data, first, count, to);
    case DType::i8: return load_numbers<std::int8_t>(data, first, count, to);
    case DType::i16: return load_numbers<std::int16_t>(data, first, count, to);
    case DType::i32: return load_numbers<std::int32_t>(data, first, count, to);
    case DType::i64: return load_numbers<std::int64_t>(data, first, count, to);
    case DType::u8: return load_numbers<std::uint8_t>(data, first, count, to);
    case DType::u16: return load_numbers<std::uint16_t>(data, first, count, to);
    case DType::u32: return load_numbers<std::uint32_t>(data, first, count, to);
    case DType::u64: return load_numbers<std::uint64_t>(data, first, count, to);
    case DType::boolean: {
      const std::uint8_t* from = reinterpret_cast<const std::uint8_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(from[i] != 0);
      return;
    }
    case DType::bf16: {
      const std::uint16_t* from = reinterpret_cast<const std::uint16_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(bf16_value(from[i]));
      return;
    }
    case DType::f16: {
      const std::uint16_t* from = reinterpret_cast<const std::uint16_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(f16_value(from[i]));
      return;
    }
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz: {
      const MiniFloat format = mini_float(type);
      const std::uint8_t* from = reinterpret_cast<const std::uint8_t*>(data) + first;
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(decode(format, from[i]));
      return;
    }
    case DType::u4:
    case DType::i4:
    case DType::u2:
    case DType::i2:
    case DType::f4e2m1: return load_packed(type, data, first, count, to);
    default: return;
  }
}

template <class C>
void store(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first) {
  store_as(type, from, count, data, first, true, false);
}

template <class C>
void store_cast(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first, bool saturate) {
  store_as(type, from, count, data, first, saturate, true);
}

bool has_conversion(DType type) {
  switch (type) {
    case DType::undefined:
    case DType::string:
    case DType::c64:
    case DType::c128:
    case DType::f8e8m0: return false;
    default: return true;
  }
}

#define AEGIS_CONVERSIONS(C)                                                       \
  template void load<C>(DType, const std::byte*, std::int64_t, std::int64_t, C*);  \
  template void store<C>(DType, const C*, std::int64_t, std::byte*, std::int64_t); \
  template void store_cast<C>(DType, const C*, std::int64_t, std::byte*, std::int64_t, bool);
AEGIS_CONVERSIONS(float)
AEGIS_CONVERSIONS(double)
AEGIS_CONVERSIONS(std::int64_t)
AEGIS_CONVERSIONS(std::uint64_t)
#undef AEGIS_CONVERSIONS

}  // namespace aegis::kernels
