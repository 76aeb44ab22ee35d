// The element functions of `map`, one functor each, the same source for every engine. `of` gets the constants of the
// call and one value per input, all in the compute type. Integer arithmetic wraps modulo 2^64 and is cut to the stored
// type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "exec/kernels/math.hpp"

namespace aegis::functors {

template <class T>
struct Constants {
  T p[4];
};

enum class On : std::uint8_t { all = 3, floats = 1, integers = 2 };

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;

// Wrapping arithmetic without signed overflow.
template <class T, class F>
AEGIS_HD T wrapped(T a, T b, F f) {
  return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}
template <class T>
AEGIS_HD T truth(bool value) {
  return value ? T(1) : T(0);
}
template <class T>
AEGIS_HD T quotient(T a, T b) {  // toward zero; 0 where it is undefined
  if constexpr (is_float<T>) return a / b;
  if (b == 0) return T(0);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return wrapped(T(0), a, [](auto x, auto y) { return x - y; });
  return a / b;
}
template <class T>
AEGIS_HD T rest(T a, T b) {
  if (b == 0) return T(0);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return T(0);
  return a % b;
}

#define AEGIS_UNARY(name, kinds, expression)                            \
  struct name {                                                         \
    static constexpr int arity = 1;                                     \
    static constexpr On on = On::kinds;                                 \
    template <class T>                                                  \
    AEGIS_HD static T of([[maybe_unused]] const Constants<T>& c, T x) { \
      [[maybe_unused]] const T* p = c.p;                                \
      return static_cast<T>(expression);                                \
    }                                                                   \
  };
#define AEGIS_BINARY(name, kinds, expression)                                \
  struct name {                                                              \
    static constexpr int arity = 2;                                          \
    static constexpr On on = On::kinds;                                      \
    template <class T>                                                       \
    AEGIS_HD static T of([[maybe_unused]] const Constants<T>& c, T x, T y) { \
      return static_cast<T>(expression);                                     \
    }                                                                        \
  };
#define AEGIS_TERNARY(name, kinds, expression)                                    \
  struct name {                                                                   \
    static constexpr int arity = 3;                                               \
    static constexpr On on = On::kinds;                                           \
    template <class T>                                                            \
    AEGIS_HD static T of([[maybe_unused]] const Constants<T>& c, T x, T y, T z) { \
      return static_cast<T>(expression);                                          \
    }                                                                             \
  };

AEGIS_UNARY(identity, all, x)
struct add {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>&, T x, T y) {
    if constexpr (is_float<T>)
      return x + y;
    else
      return wrapped(x, y, [](auto a, auto b) { return a + b; });
  }
};
struct sub {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>&, T x, T y) {
    if constexpr (is_float<T>)
      return x - y;
    else
      return wrapped(x, y, [](auto a, auto b) { return a - b; });
  }
};
struct mul {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>&, T x, T y) {
    if constexpr (is_float<T>)
      return x * y;
    else
      return wrapped(x, y, [](auto a, auto b) { return a * b; });
  }
};
AEGIS_BINARY(div, all, quotient(x, y))
struct pow {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>& c, T x, T y) {
    if constexpr (is_float<T>) {
      return math::pow(x, y);
    } else {
      if constexpr (std::is_signed_v<T>)
        if (y < 0) return x == 1 ? T(1) : x == -1 ? (y % 2 ? T(-1) : T(1)) : T(0);
      T result = 1;
      for (T power = x, left = y; left > 0; left /= 2, power = mul::of(c, power, power))
        if (left % 2) result = mul::of(c, result, power);
      return result;
    }
  }
};
AEGIS_BINARY(max, all, (x > y || x != x) ? x : y)
AEGIS_BINARY(min, all, (x < y || x != x) ? x : y)
// The remainder has the sign of the divisor (mod) or of the dividend (fmod).
struct fmod {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>&, T x, T y) {
    if constexpr (is_float<T>) {
      if (math::abs(double{y}) == math::infinity && math::abs(double{x}) < math::infinity) return x;
      return static_cast<T>(math::remainder_toward_zero(double{x}, double{y}));
    } else {
      return rest(x, y);
    }
  }
};
struct mod {
  static constexpr int arity = 2;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>& c, T x, T y) {
    const T r = fmod::of(c, x, y);
    return static_cast<T>(r != 0 && (r < 0) != (y < 0) ? r + y : r);
  }
};
struct abs {
  static constexpr int arity = 1;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>& c, T x) {
    if constexpr (is_float<T>)
      return math::abs(x);
    else
      return x < 0 ? sub::of(c, T(0), x) : x;
  }
};
struct neg {
  static constexpr int arity = 1;
  static constexpr On on = On::all;
  template <class T>
  AEGIS_HD static T of(const Constants<T>& c, T x) {
    if constexpr (is_float<T>)
      return -x;
    else
      return sub::of(c, T(0), x);
  }
};
AEGIS_UNARY(sign, all, x > 0 ? T(1) : x < 0 ? T(-1) : x)
AEGIS_UNARY(relu, all, x < 0 ? T(0) : x)
AEGIS_TERNARY(clip, all, (x < y ? y : x) > z ? z : (x < y ? y : x))
AEGIS_BINARY(prelu, all, (x < 0 ? mul::of(c, x, y) : x))
AEGIS_TERNARY(mul_add, all, add::of(c, mul::of(c, x, y), z))
AEGIS_UNARY(divide_by, all, quotient(x, p[0]))
AEGIS_TERNARY(where, all, x != 0 ? y : z)
AEGIS_BINARY(equal, all, truth<T>(x == y))
AEGIS_BINARY(greater, all, truth<T>(x > y))
AEGIS_BINARY(less, all, truth<T>(x < y))
AEGIS_BINARY(greater_equal, all, truth<T>(x >= y))
AEGIS_BINARY(less_equal, all, truth<T>(x <= y))
AEGIS_BINARY(logical_and, integers, truth<T>(x != 0 && y != 0))
AEGIS_BINARY(logical_or, integers, truth<T>(x != 0 || y != 0))
AEGIS_BINARY(logical_xor, integers, truth<T>((x != 0) != (y != 0)))
AEGIS_UNARY(logical_not, integers, truth<T>(x == 0))
AEGIS_BINARY(bit_and, integers, x& y)
AEGIS_BINARY(bit_or, integers, x | y)
AEGIS_BINARY(bit_xor, integers, x ^ y)
AEGIS_UNARY(bit_not, integers, ~x)
AEGIS_BINARY(shift_left, integers, y >= 0 && y < 64 ? static_cast<T>(static_cast<std::uint64_t>(x) << y) : T(0))
AEGIS_BINARY(shift_right, integers, y >= 0 && y < 64 ? x >> y : x < 0 ? T(-1) : T(0))

AEGIS_UNARY(sqrt, floats, math::sqrt(x))
AEGIS_UNARY(reciprocal, floats, T(1) / x)
AEGIS_UNARY(exp, floats, math::exp(x))
AEGIS_UNARY(log, floats, math::log(x))
AEGIS_UNARY(erf, floats, math::erf(x))
AEGIS_UNARY(sin, floats, math::sin(x))
AEGIS_UNARY(cos, floats, math::cos(x))
AEGIS_UNARY(tan, floats, math::tan(x))
AEGIS_UNARY(asin, floats, math::asin(x))
AEGIS_UNARY(acos, floats, math::acos(x))
AEGIS_UNARY(atan, floats, math::atan(x))
AEGIS_UNARY(sinh, floats, math::sinh(x))
AEGIS_UNARY(cosh, floats, math::cosh(x))
AEGIS_UNARY(tanh, floats, math::tanh(x))
AEGIS_UNARY(asinh, floats, math::asinh(x))
AEGIS_UNARY(acosh, floats, math::acosh(x))
AEGIS_UNARY(atanh, floats, math::atanh(x))
AEGIS_UNARY(floor, floats, math::floor(x))
AEGIS_UNARY(ceil, floats, math::ceil(x))
AEGIS_UNARY(round, floats, math::round_even(x))
// Constants: alpha; alpha, beta; alpha, gamma as ONNX names them, in that order.
AEGIS_UNARY(leaky_relu, floats, x < 0 ? p[0] * x : x)
AEGIS_UNARY(elu, floats, x < 0 ? p[0] * math::expm1(x) : x)
AEGIS_UNARY(selu, floats, p[1] * (x > 0 ? x : p[0] * math::expm1(x)))
AEGIS_UNARY(celu, floats, x < 0 ? p[0] * math::expm1(x / p[0]) : x)
AEGIS_UNARY(sigmoid, floats, math::sigmoid(x))
AEGIS_UNARY(hard_sigmoid, floats, clip::of(c, p[0] * x + p[1], T(0), T(1)))
AEGIS_UNARY(hard_swish, floats, x* clip::of(c, x / T(6) + T(0.5), T(0), T(1)))
AEGIS_UNARY(softplus, floats, math::softplus(x))
AEGIS_UNARY(softsign, floats, x / (T(1) + math::abs(x)))
AEGIS_UNARY(gelu, floats, T(0.5) * x * (T(1) + math::erf(x * T(0x1.6a09e667f3bcdp-1))))
AEGIS_UNARY(gelu_tanh, floats, T(0.5) * x * (T(1) + math::tanh(T(0.79788456080286536) * (x + T(0.044715) * x * x * x))))
AEGIS_UNARY(mish, floats, x* math::tanh(math::softplus(x)))
AEGIS_UNARY(swish, floats, x* math::sigmoid(p[0] * x))
AEGIS_UNARY(thresholded_relu, floats, x > p[0] ? x : T(0))
AEGIS_UNARY(shrink, floats, x<-p[1] ? x + p[0] : x> p[1] ? x - p[0] : T(0))  // p: bias, lambda
AEGIS_UNARY(is_nan, floats, truth<T>(x != x))
AEGIS_UNARY(is_inf, floats,
            truth<T>((p[1] != 0 && x > std::numeric_limits<T>::max()) ||
                     (p[0] != 0 && x < std::numeric_limits<T>::lowest())))
// x, scale, bias, mean, variance; p: epsilon.
struct batch_norm {
  static constexpr int arity = 5;
  static constexpr On on = On::floats;
  template <class T>
  AEGIS_HD static T of(const Constants<T>& c, T x, T scale, T bias, T mean, T variance) {
    return (x - mean) / math::sqrt(variance + c.p[0]) * scale + bias;
  }
};
AEGIS_TERNARY(quantize, floats, math::round_even(x / y) + z)  // the store saturates
AEGIS_TERNARY(dequantize, floats, (x - z) * y)

#undef AEGIS_UNARY
#undef AEGIS_BINARY
#undef AEGIS_TERNARY

}  // namespace aegis::functors
