// Elementary functions from + - * / sqrt and bit operations alone, so that every compiler, instruction set and device
// gives the same bits. libm and the device's math library are not called.
//
// The float functions evaluate in double with series short enough for 24 bits and round once at the end: below 1 ulp
// over the full range. The double functions use longer series: a few ulp.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "model/round.hpp"

namespace aegis::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double pi = 0x1.921fb54442d18p+1;

AEGIS_HD inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
AEGIS_HD inline double from_bits(std::uint64_t u) { return std::bit_cast<double>(u); }
template <class T>
AEGIS_HD T not_a_number() {
  return std::numeric_limits<T>::quiet_NaN();
}
template <class T>
AEGIS_HD bool is_nan(T x) {
  return x != x;
}
AEGIS_HD inline double abs(double x) { return from_bits(bits(x) & 0x7fffffffffffffffu); }
AEGIS_HD inline float abs(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0x7fffffffu); }
AEGIS_HD inline double copy_sign(double x, double sign) {
  return from_bits((bits(x) & 0x7fffffffffffffffu) | (bits(sign) & 0x8000000000000000u));
}
AEGIS_HD inline float copy_sign(float x, float sign) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) & 0x7fffffffu) |
                              (std::bit_cast<std::uint32_t>(sign) & 0x80000000u));
}
AEGIS_HD inline double sqrt(double x) { return std::sqrt(x); }
AEGIS_HD inline float sqrt(float x) { return std::sqrt(x); }

// To an integer, halves to even; adding 2^52 (2^23) pushes the fraction out of the significand.
AEGIS_HD inline double round_even(double x) {
  const double magnitude = abs(x), shifted = (magnitude + 0x1p52) - 0x1p52;
  return copy_sign(magnitude < 0x1p52 ? shifted : x, x);
}
AEGIS_HD inline float round_even(float x) {
  const float magnitude = abs(x), shifted = (magnitude + 0x1p23f) - 0x1p23f;
  return copy_sign(magnitude < 0x1p23f ? shifted : x, x);
}
template <class T>
AEGIS_HD T floor(T x) {
  const T r = round_even(x);
  return copy_sign(r > x ? r - T(1) : r, x);
}
template <class T>
AEGIS_HD T ceil(T x) {
  const T r = round_even(x);
  return copy_sign(r < x ? r + T(1) : r, x);
}
template <class T>
AEGIS_HD T trunc(T x) {
  return copy_sign(floor(abs(x)), x);
}

// x - y * trunc(x / y), exact; the sign of x.
AEGIS_HD inline double remainder_toward_zero(double x, double y) {
  double rest = abs(x);
  const double divisor = abs(y);
  if (!(rest < infinity) || !(divisor > 0)) return not_a_number<double>();
  while (rest >= divisor) {  // subtract the largest divisor * 2^k that fits: exact, since both have one exponent
    const std::int64_t gap =
        static_cast<std::int64_t>(bits(rest) >> 52) - static_cast<std::int64_t>(bits(divisor) >> 52);
    double part = divisor;
    for (std::int64_t left = gap; left > 0; --left) part += part;
    if (part > rest) part *= 0.5;
    rest -= part;
  }
  return copy_sign(rest, x);
}

namespace detail {

inline constexpr double ln2_high = 0x1.62e42fefp-1, ln2_low = 0x1.473de6af278edp-34, log2_e = 0x1.71547652b82fep+0;
inline constexpr double shifter = 0x1.8p52;  // adding it leaves the nearest integer in the low bits

// exp(r) - 1 by Taylor's series to r^13, for |r| <= ln(2)/2: truncation below 2^-57 of r.
AEGIS_HD inline double expm1_series(double r) {
  double sum = 1.0 / 6227020800.0;
  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  return sum * r * r + r;
}
// exp(x) for |x| <= 700 to about 2^-31: enough for a result rounded to float.
AEGIS_HD inline double exp_short(double x) {
  const double shifted = x * log2_e + shifter, k = shifted - shifter;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double sum = 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r * r + r + 1.0;
  return sum * from_bits((bits(shifted) << 52) + (std::uint64_t{1023} << 52));
}
// Far enough out that float is infinite or zero; NaN passes.
AEGIS_HD inline double clamp_for_exp(double x) {
  const double below = x > 150.0 ? 150.0 : x;
  return below < -150.0 ? -150.0 : below;
}
// erf(x) to about 2^-25. Minimax polynomials: x times one in x^2 up to 475/512, beyond it 1 - exp of one in |x|.
AEGIS_HD inline double erf_short(double x) {
  const double t = abs(x), s = x * x;
  double inner = -5.96761703e-4;
  inner = inner * s + 4.99119423e-3;
  inner = inner * s - 2.67681349e-2;
  inner = inner * s + 1.12819925e-1;
  inner = inner * s - 3.76125336e-1;
  inner = inner * s + 1.28379166e-1;
  inner = inner * x + x;
  const double u = t > 4.0 ? 4.0 : t, v = u * u;  // 1 - erf(4) < 2^-25
  double outer = (-1.72853470e-5 * u + 3.83197126e-4) * v + (-3.88396438e-3 * u + 2.42546219e-2);
  outer = outer * u - 1.06777877e-1;
  outer = outer * u - 6.34846687e-1;
  outer = outer * u - 1.28717512e-1;
  outer = copy_sign(1.0 - exp_short(outer * u - u), x);
  return t > 0.927734375 ? outer : inner;  // NaN takes the inner branch and stays
}

}  // namespace detail

AEGIS_HD inline double exp(double x) {
  const double bounded = x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x;
  const double shifted = bounded * detail::log2_e + detail::shifter, k = shifted - detail::shifter;
  const double r = (bounded - k * detail::ln2_high) - k * detail::ln2_low;
  const std::int64_t power = static_cast<std::int64_t>(bits(shifted) - bits(detail::shifter));
  const std::int64_t half = power / 2, rest = power - half;  // two steps reach subnormals and infinity
  const double scale = from_bits(static_cast<std::uint64_t>(half + 1023) << 52);
  const double scale_rest = from_bits(static_cast<std::uint64_t>(rest + 1023) << 52);
  const double result = (1.0 + detail::expm1_series(r)) * scale * scale_rest;
  return is_nan(x) ? x : result;
}
AEGIS_HD inline double expm1(double x) { return abs(x) < 0.34 ? detail::expm1_series(x) : exp(x) - 1.0; }
// The significand is brought into [sqrt(1/2), sqrt(2)); then log(m) = 2 atanh((m - 1) / (m + 1)).
AEGIS_HD inline double log(double x) {
  const bool tiny = x < 0x1p-1022;
  const std::uint64_t u = bits(tiny ? x * 0x1p54 : x);
  const std::uint64_t above = u - bits(0x1.6a09e667f3bcdp-1);
  const double k = static_cast<double>(static_cast<std::int64_t>(above) >> 52) - (tiny ? 54.0 : 0.0);
  const double f = from_bits(u - (above & 0xfff0000000000000u)) - 1.0;
  const double s = f / (2.0 + f), s2 = s * s;
  double sum = 2.0 / 23.0;
  sum = sum * s2 + 2.0 / 21.0;
  sum = sum * s2 + 2.0 / 19.0;
  sum = sum * s2 + 2.0 / 17.0;
  sum = sum * s2 + 2.0 / 15.0;
  sum = sum * s2 + 2.0 / 13.0;
  sum = sum * s2 + 2.0 / 11.0;
  sum = sum * s2 + 2.0 / 9.0;
  sum = sum * s2 + 2.0 / 7.0;
  sum = sum * s2 + 2.0 / 5.0;
  sum = sum * s2 + 2.0 / 3.0;
  const double result = k * detail::ln2_high + (2.0 * s + (s * s2 * sum + k * detail::ln2_low));
  if (x > 0 && x < infinity) return result;
  return x == 0 ? -infinity : x > 0 ? x : not_a_number<double>();
}
// log(1 + x); the quotient undoes the rounding of 1 + x.
AEGIS_HD inline double log1p(double x) {
  const double u = 1.0 + x;
  if (u == 1.0 || !(u < infinity)) return u == 1.0 ? x : log(u);
  return u > 0 ? log(u) * (x / (u - 1.0)) : log(u);
}
AEGIS_HD inline double tanh(double x) {
  const double magnitude = abs(x), e = expm1(2.0 * (magnitude > 22.0 ? 22.0 : magnitude));
  return copy_sign(e / (e + 2.0), x);
}
// The series 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (1*3*5*...*(2n+1)): all terms have one sign.
AEGIS_HD inline double erf(double x) {
  if (!(abs(x) < 5.93)) return is_nan(x) ? x : copy_sign(1.0, x);
  double term = x, sum = x;
  for (int n = 1; n < 150; ++n) {
    term *= 2.0 * x * x / (2.0 * n + 1.0);
    sum += term;
  }
  return 0x1.20dd750429b6dp+0 * exp(-x * x) * sum;
}

struct Reduced {
  double rest = 0;   // in [-pi/4, pi/4]
  int quadrant = 0;  // 0..3
};
// x minus the nearest multiple of pi/2. Up to 2^20 three parts of pi/2 are subtracted (33 + 33 + 53 bits); beyond, 192
// bits of 2/pi that matter modulo 4 are multiplied by the significand (Payne and Hanek).
AEGIS_HD inline Reduced reduce_half_pi(double x) {
  if (abs(x) < 0x1p20) {
    const double k = round_even(x * 0x1.45f306dc9c883p-1);
    const double rest = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    return {rest, static_cast<int>(static_cast<std::int64_t>(k) & 3)};
  }
  if (!(abs(x) < infinity)) return {not_a_number<double>(), 0};
  constexpr std::uint32_t two_over_pi[38] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
      0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
      0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
      0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu,
      0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};
  const int exponent = static_cast<int>((bits(x) >> 52) & 0x7ff) - 1075;  // |x| = significand * 2^exponent
  const std::uint64_t significand = (bits(x) & 0xfffffffffffffu) | 0x10000000000000u;
  const int start = exponent > 2 ? exponent - 2 : 0;  // earlier bits give multiples of 4
  std::uint32_t window[6];                            // least significant word first
  for (int i = 0; i < 6; ++i) {
    const int word = start / 32 + 5 - i, shift = start % 32;
    const std::uint64_t pair = (std::uint64_t{two_over_pi[word]} << 32) | two_over_pi[word + 1];
    window[i] = static_cast<std::uint32_t>((pair << shift) >> 32);
  }
  std::uint32_t product[8] = {};
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = half ? significand >> 32 : significand & 0xffffffffu;
    std::uint64_t carry = 0;
    for (int i = 0; i < 6; ++i) {
      carry += factor * window[i] + product[i + half];
      product[i + half] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[6 + half] = static_cast<std::uint32_t>(carry);
  }
  // The binary point stands at bit 192 - (exponent - start); move it to bit 224.
  int shift = 32 + exponent - start;
  for (; shift >= 32; shift -= 32) {
    for (int i = 7; i > 0; --i) product[i] = product[i - 1];
    product[0] = 0;
  }
  for (int i = 7; i >= 0 && shift > 0; --i)
    product[i] = (product[i] << shift) | (i > 0 ? product[i - 1] >> (32 - shift) : 0u);
  int quadrant = static_cast<int>(product[7] & 3u);
  const bool negative = (product[6] & 0x80000000u) != 0;  // above one half: count from the next quadrant
  std::uint64_t carry = negative ? 1 : 0;
  double fraction = 0, weight = 0x1p-224;
  for (int i = 0; i < 7; ++i, weight *= 0x1p32) {
    carry += negative ? static_cast<std::uint32_t>(~product[i]) : product[i];
    fraction += static_cast<double>(static_cast<std::uint32_t>(carry)) * weight;
    carry >>= 32;
  }
  if (negative) {
    fraction = -fraction;
    ++quadrant;
  }
  if (x < 0) {
    fraction = -fraction;
    quadrant = -quadrant;
  }
  return {fraction * (0.5 * pi), quadrant & 3};
}
// Taylor's series on [-pi/4, pi/4].
AEGIS_HD inline double sin_series(double r) {
  const double s = r * r;
  double sum = 1.0 / 355687428096000.0;
  sum = sum * s - 1.0 / 1307674368000.0;
  sum = sum * s + 1.0 / 6227020800.0;
  sum = sum * s - 1.0 / 39916800.0;
  sum = sum * s + 1.0 / 362880.0;
  sum = sum * s - 1.0 / 5040.0;
  sum = sum * s + 1.0 / 120.0;
  sum = sum * s - 1.0 / 6.0;
  return sum * s * r + r;
}
AEGIS_HD inline double cos_series(double r) {
  const double s = r * r;
  double sum = 1.0 / 20922789888000.0;
  sum = sum * s - 1.0 / 87178291200.0;
  sum = sum * s + 1.0 / 479001600.0;
  sum = sum * s - 1.0 / 3628800.0;
  sum = sum * s + 1.0 / 40320.0;
  sum = sum * s - 1.0 / 720.0;
  sum = sum * s + 1.0 / 24.0;
  sum = sum * s - 0.5;
  return sum * s + 1.0;
}
AEGIS_HD inline double sin_of(const Reduced& a) {
  const double value = a.quadrant & 1 ? cos_series(a.rest) : sin_series(a.rest);
  return a.quadrant & 2 ? -value : value;
}
AEGIS_HD inline double sin(double x) { return x == 0 ? x : sin_of(reduce_half_pi(x)); }
AEGIS_HD inline double cos(double x) {
  Reduced a = reduce_half_pi(x);
  ++a.quadrant;
  return sin_of(a);
}
AEGIS_HD inline double tan(double x) {
  if (x == 0) return x;
  const Reduced a = reduce_half_pi(x);
  const double s = sin_series(a.rest), c = cos_series(a.rest);
  return a.quadrant & 1 ? -c / s : s / c;
}
// Two reductions bring the argument below tan(pi/8); then the alternating series.
AEGIS_HD inline double atan(double x) {
  const double magnitude = abs(x);
  const bool inverse = magnitude > 1.0;
  const double t = inverse ? 1.0 / magnitude : magnitude;
  const bool upper = t > 0.41421356237309503;
  const double z = upper ? (t - 1.0) / (t + 1.0) : t, s = z * z;
  double sum = 0;
  for (int n = 22; n > 0; --n) sum = s * ((n % 2 ? -1.0 : 1.0) / (2.0 * n + 1.0) + sum);
  double angle = z + z * sum;
  if (upper) angle += 0.25 * pi;
  if (inverse) angle = 0.5 * pi - angle;
  return copy_sign(angle, x);
}
AEGIS_HD inline double asin(double x) {
  if (abs(x) == 1.0) return copy_sign(0.5 * pi, x);
  return atan(x / sqrt((1.0 - x) * (1.0 + x)));
}
AEGIS_HD inline double acos(double x) {
  if (x == -1.0) return pi;
  return 2.0 * atan(sqrt((1.0 - x) / (1.0 + x)));
}
AEGIS_HD inline double sinh(double x) {
  const double magnitude = abs(x);
  if (magnitude > 22.0) {
    const double half = exp(0.5 * magnitude);  // exp(x) itself may overflow where sinh does not
    return copy_sign(0.5 * half * half, x);
  }
  const double e = expm1(magnitude);
  return copy_sign(0.5 * (e + e / (e + 1.0)), x);
}
AEGIS_HD inline double cosh(double x) {
  const double half = exp(0.5 * abs(x)), e = half * half;
  return abs(x) > 22.0 ? 0.5 * half * half : 0.5 * (e + 1.0 / e);
}
AEGIS_HD inline double asinh(double x) {
  const double t = abs(x);
  if (!(t < 0x1p28)) return copy_sign(log(t) + 0x1.62e42fefa39efp-1, x);
  return copy_sign(log1p(t + t * t / (1.0 + sqrt(1.0 + t * t))), x);
}
AEGIS_HD inline double acosh(double x) {
  if (x > 0x1p28) return log(x) + 0x1.62e42fefa39efp-1;
  if (x < 1.0) return not_a_number<double>();
  const double t = x - 1.0;
  return log1p(t + sqrt(2.0 * t + t * t));
}
AEGIS_HD inline double atanh(double x) {
  const double t = abs(x);
  return copy_sign(0.5 * log1p(2.0 * t / (1.0 - t)), x);
}
AEGIS_HD inline double pow(double x, double y) {
  if (y == 0 || x == 1) return 1.0;
  if (is_nan(x) || is_nan(y)) return not_a_number<double>();
  if (y == 2) return x * x;
  if (y == 1) return x;
  const double size = abs(y);
  const bool whole = size >= 0x1p53 || trunc(size) == size;
  const bool odd = whole && size < 0x1p53 && (static_cast<std::uint64_t>(size) & 1u);
  const double magnitude = abs(x);
  double result;
  if (magnitude == 0 || magnitude == infinity) {
    result = (magnitude == 0) == (y < 0) ? infinity : 0.0;
  } else if (size == infinity) {
    result = magnitude == 1 ? 1.0 : (magnitude > 1) == (y > 0) ? infinity : 0.0;
  } else {
    if (x < 0 && !whole) return not_a_number<double>();
    result = y == 0.5 ? sqrt(magnitude) : exp(y * log(magnitude));
  }
  return odd && bits(x) >> 63 ? -result : result;
}

// The same for float: in double, rounded once.
#define AEGIS_FLOAT_BY_DOUBLE(function) \
  AEGIS_HD inline float function(float x) { return static_cast<float>(function(static_cast<double>(x))); }
AEGIS_FLOAT_BY_DOUBLE(expm1)
AEGIS_FLOAT_BY_DOUBLE(log)
AEGIS_FLOAT_BY_DOUBLE(log1p)
AEGIS_FLOAT_BY_DOUBLE(sin)
AEGIS_FLOAT_BY_DOUBLE(cos)
AEGIS_FLOAT_BY_DOUBLE(tan)
AEGIS_FLOAT_BY_DOUBLE(asin)
AEGIS_FLOAT_BY_DOUBLE(acos)
AEGIS_FLOAT_BY_DOUBLE(atan)
AEGIS_FLOAT_BY_DOUBLE(sinh)
AEGIS_FLOAT_BY_DOUBLE(cosh)
AEGIS_FLOAT_BY_DOUBLE(asinh)
AEGIS_FLOAT_BY_DOUBLE(acosh)
AEGIS_FLOAT_BY_DOUBLE(atanh)
#undef AEGIS_FLOAT_BY_DOUBLE

AEGIS_HD inline float exp(float x) { return static_cast<float>(detail::exp_short(detail::clamp_for_exp(double{x}))); }
AEGIS_HD inline float erf(float x) { return static_cast<float>(detail::erf_short(double{x})); }
AEGIS_HD inline float tanh(float x) {
  const double magnitude = abs(double{x}), e = detail::exp_short(2.0 * (magnitude > 20.0 ? 20.0 : magnitude));
  const double near_zero = magnitude - magnitude * magnitude * magnitude / 3.0;
  return static_cast<float>(copy_sign(magnitude < 1e-4 ? near_zero : (e - 1.0) / (e + 1.0), double{x}));
}
AEGIS_HD inline float pow(float x, float y) { return static_cast<float>(pow(double{x}, double{y})); }

AEGIS_HD inline double sigmoid(double x) {
  const double e = exp(-abs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}
AEGIS_HD inline float sigmoid(float x) {
  return static_cast<float>(1.0 / (1.0 + detail::exp_short(detail::clamp_for_exp(-double{x}))));
}
AEGIS_HD inline double softplus(double x) {
  const double result = (x > 0 ? x : 0.0) + log1p(exp(-abs(x)));
  return is_nan(x) ? x : result;
}
AEGIS_HD inline float softplus(float x) {
  const double value = x > 0 ? double{x} : 0.0;
  const float result = static_cast<float>(value + log1p(detail::exp_short(detail::clamp_for_exp(-abs(double{x})))));
  return is_nan(x) ? x : result;
}

}  // namespace aegis::math
