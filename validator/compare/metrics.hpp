// Metrics: how far one tensor is from another, accumulated in double precision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// Sums run over the elements where `before` is finite and `after` is finite too; an element that is finite before and
// not after is counted in new_nonfinite, one that is not finite before is not held against after.
struct Metrics {
  bool numeric = true;  // false: integers, booleans or bytes without arithmetic; then the error sums stay zero
  std::uint64_t elements = 0, compared = 0;
  std::uint64_t new_nonfinite = 0;
  std::uint64_t reference_nonfinite = 0;
  std::uint64_t equal = 0;  // elements with the same number; a NaN equals a NaN
  bool bit_exact = true;    // the same type and the same bits; a NaN equals a NaN

  double max_abs = 0;            // largest |after - before|
  std::int64_t max_abs_at = -1;  // its flat position; -1: every compared element is equal
  double max_abs_before = 0, max_abs_after = 0;
  double error2 = 0, before2 = 0, after2 = 0, dot = 0;  // sums of squares and of products
  double max_ulp = 0;
  double low = 0, high = 0;  // range of the finite elements of before; both 0 when there are none

  std::optional<double> rel_l2() const;  // absent: before is zero and after is not, or nothing was compared
  std::optional<double> snr_db() const;  // -20 log10(rel_l2), at most snr_cap_db
  std::optional<double> cosine() const;  // absent when either has no length
  double equal_share() const;
};

// Compares element by element. Errors: the shapes differ, or a type has no comparison (strings).
Result<Metrics> compare(const Tensor& before, const Tensor& after);

// -20 log10(rel_l2) at most `snr_cap_db`.
double to_snr_db(double rel_l2);

// The position of a flat index in a tensor of these extents.
std::vector<std::int64_t> unflatten(std::int64_t flat, const std::vector<std::int64_t>& dims);

// "2x3x5"; "scalar" for rank 0.
std::string shape_text(const std::vector<std::int64_t>& dims);

}  // namespace aegis
