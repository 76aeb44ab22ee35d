// The unit of max_ulp is the spacing of the narrower of the two types at the reference element. Far below the root
// mean square of the tensor that spacing says nothing about an error which comes from sums of larger terms, so no
// element is measured with a finer ruler than that of rms / 128.
#include "validator/compare/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "validator/validate.hpp"

namespace aegis {
namespace {

struct Precision {
  int mantissa;      // stored bits
  int min_exponent;  // of the smallest normal number
};
Precision precision(DType type) {
  switch (type) {
    case DType::f64: return {52, -1022};
    case DType::f16: return {10, -14};
    case DType::bf16: return {7, -126};
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz: return {3, -6};
    case DType::f8e5m2:
    case DType::f8e5m2fnuz: return {2, -14};
    case DType::f4e2m1: return {1, 0};
    default: return {23, -126};
  }
}

double spacing(const Precision& p, double magnitude) {
  const int exponent = magnitude > 0 ? std::ilogb(magnitude) : p.min_exponent;
  return std::ldexp(1.0, std::max(exponent, p.min_exponent) - p.mantissa);
}

Metrics compare_numbers(const Tensor& before, const Tensor& after, const std::vector<double>& a,
                        const std::vector<double>& b) {
  Metrics m;
  m.elements = a.size();
  const bool one_type = before.type == after.type;
  double squares = 0;
  for (const double x : a)
    if (std::isfinite(x)) squares += x * x;
  const double floor = a.empty() ? 0 : std::sqrt(squares / static_cast<double>(a.size())) / 128;
  const Precision fine = precision(before.type), coarse = precision(after.type);
  const Precision unit = fine.mantissa <= coarse.mantissa ? fine : coarse;

  m.bit_exact = one_type;
  bool first = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    const bool same = x == y || (std::isnan(x) && std::isnan(y));
    m.equal += same;
    if (!same || std::signbit(x) != std::signbit(y)) m.bit_exact = m.bit_exact && std::isnan(x) && std::isnan(y);
    if (!std::isfinite(x)) {
      ++m.reference_nonfinite;
      continue;
    }
    m.low = first ? x : std::min(m.low, x);
    m.high = first ? x : std::max(m.high, x);
    first = false;
    if (!std::isfinite(y)) {
      ++m.new_nonfinite;
      continue;
    }
    const double error = y - x, size = std::fabs(error);
    ++m.compared;
    m.error2 += error * error;
    m.before2 += x * x;
    m.after2 += y * y;
    m.dot += x * y;
    if (size > m.max_abs) {
      m.max_abs = size;
      m.max_abs_at = static_cast<std::int64_t>(i);
      m.max_abs_before = x;
      m.max_abs_after = y;
    }
    if (size > 0) m.max_ulp = std::max(m.max_ulp, size / spacing(unit, std::max(std::fabs(x), floor)));
  }
  return m;
}

// Integers, booleans and complex numbers: equal or not, by their bytes.
Result<Metrics> compare_bytes(const Tensor& before, const Tensor& after) {
  if (before.type != after.type)
    return Error{.fault = Fault::validation,
                 .code = {},
                 .message = fmt::format("the types differ: {} before, {} after; only float types may change",
                                        name(before.type), name(after.type)),
                 .where = {},
                 .notes = {}};
  Metrics m;
  m.numeric = false;
  m.elements = m.compared = static_cast<std::uint64_t>(before.elements());
  const auto a = to_integers(before), b = to_integers(after);
  if (a && b) {
    for (std::size_t i = 0; i < a->size(); ++i) {
      m.equal += (*a)[i] == (*b)[i];
      if ((*a)[i] != (*b)[i] && m.max_abs_at < 0) m.max_abs_at = static_cast<std::int64_t>(i);
    }
  } else {
    const int width = bits(before.type);
    if (width == 0 || !before.data || !after.data)
      return Error{.fault = Fault::validation,
                   .code = {},
                   .message = fmt::format("values of type {} cannot be compared; expected numbers or booleans",
                                          name(before.type)),
                   .where = {},
                   .notes = {}};
    const auto size = static_cast<std::size_t>(std::max(1, width / 8));
    for (std::size_t at = 0; at < before.data->size(); at += size)
      m.equal += std::memcmp(before.data->data() + at, after.data->data() + at, size) == 0;
    if (width < 8) {  // several elements to a byte: whole bytes are the unit
      m.elements = m.compared = before.data->size();
    }
  }
  m.bit_exact = m.equal == m.elements;
  return m;
}

}  // namespace

double to_snr_db(double rel_l2) { return rel_l2 > 0 ? std::min(snr_cap_db, -20 * std::log10(rel_l2)) : snr_cap_db; }

std::optional<double> Metrics::rel_l2() const {
  if (!numeric || compared == 0) return std::nullopt;
  if (error2 == 0) return 0.0;
  const double rel = std::sqrt(error2 / before2);
  return std::isfinite(rel) ? std::optional(rel) : std::nullopt;
}

std::optional<double> Metrics::snr_db() const {
  const auto rel = rel_l2();
  return rel ? std::optional(to_snr_db(*rel)) : std::nullopt;
}

std::optional<double> Metrics::cosine() const {
  if (!numeric || before2 <= 0 || after2 <= 0) return std::nullopt;
  return error2 == 0 ? 1.0 : dot / (std::sqrt(before2) * std::sqrt(after2));
}

double Metrics::equal_share() const {
  return elements == 0 ? 1.0 : static_cast<double>(equal) / static_cast<double>(elements);
}

Result<Metrics> compare(const Tensor& before, const Tensor& after) {
  if (before.dims != after.dims)
    return Error{.fault = Fault::validation,
                 .code = {},
                 .message = fmt::format("the shapes differ: {} before, {} after; only equal shapes can be compared",
                                        shape_text(before.dims), shape_text(after.dims)),
                 .where = {},
                 .notes = {}};
  if (!is_float(before.type) || !is_float(after.type)) return compare_bytes(before, after);
  AEGIS_TRY(const std::vector<double> a, to_doubles(before));
  AEGIS_TRY(const std::vector<double> b, to_doubles(after));
  return compare_numbers(before, after, a, b);
}

std::vector<std::int64_t> unflatten(std::int64_t flat, const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> at(dims.size(), 0);
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    if (dims[axis] <= 0) continue;
    at[axis] = flat % dims[axis];
    flat /= dims[axis];
  }
  return at;
}

std::string shape_text(const std::vector<std::int64_t>& dims) {
  return dims.empty() ? "scalar" : fmt::format("{}", fmt::join(dims, "x"));
}

}  // namespace aegis
