// The one order of addition for sums outside the matrix product: 128 lanes, lane l takes elements l, l + 128, ... in
// order, then a fixed binary tree. Zeros appended to the row change no bit, and no thread or vector length shows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/kernels/functors.hpp"

namespace aegis::kernels {

inline constexpr std::int64_t lanes = 128;

// Folds value(0) .. value(n - 1) with F (add, mul, max, min), whose neutral element is `start`.
template <class F, class T, class Value>
T fold(std::int64_t n, T start, Value value) {
  const functors::Constants<T> none{};
  T lane[lanes];
  const std::int64_t used = std::min(n, lanes);
  if (used == 0) return start;
  for (std::int64_t l = 0; l < used; ++l) lane[l] = F::of(none, start, value(l));
  std::int64_t i = lanes;
  for (; i + lanes <= n; i += lanes)
    for (std::int64_t l = 0; l < lanes; ++l) lane[l] = F::of(none, lane[l], value(i + l));
  for (std::int64_t l = 0; i + l < n; ++l) lane[l] = F::of(none, lane[l], value(i + l));
  std::int64_t left = used;  // lanes beyond hold the neutral element, which changes nothing
  for (std::int64_t half = lanes / 2; half > 0; half /= 2) {
    for (std::int64_t l = 0; l < half && l + half < left; ++l) lane[l] = F::of(none, lane[l], lane[l + half]);
    left = std::min(left, half);
  }
  return lane[0];
}

template <class T, class Value>
T sum(std::int64_t n, Value value) {
  return fold<functors::add, T>(n, T(0), value);
}

}  // namespace aegis::kernels
