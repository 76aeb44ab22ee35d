#include "ops/type.hpp"

namespace aegis {

Answer Dim::equals(const Dim& other) const {
  if (known() && other.known()) return extent == other.extent ? Answer::yes : Answer::no;
  if (kind == Kind::symbol && other.kind == Kind::symbol && symbol == other.symbol) return Answer::yes;
  return Answer::unknown;
}

Answer Dim::divides(std::int64_t n) const {
  if (n == 1) return Answer::yes;
  if (!known() || n <= 0) return Answer::unknown;
  return extent % n == 0 ? Answer::yes : Answer::no;
}

Answer Dim::at_least(std::int64_t n) const {
  if (known()) return extent >= n ? Answer::yes : Answer::no;
  return n <= 0 ? Answer::yes : Answer::unknown;
}

std::optional<std::vector<std::int64_t>> ValueType::shape() const {
  if (!tensor() || !dims) return std::nullopt;
  std::vector<std::int64_t> out;
  out.reserve(dims->size());
  for (const Dim& d : *dims) {
    if (!d.known()) return std::nullopt;
    out.push_back(d.extent);
  }
  return out;
}

std::optional<std::int64_t> ValueType::elements() const {
  const auto extents = shape();
  if (!extents) return std::nullopt;
  std::int64_t count = 1;
  for (const std::int64_t d : *extents)
    if (__builtin_mul_overflow(count, d, &count)) return std::nullopt;
  return count;
}

ValueType ValueType::tensor_of(DType dtype, std::span<const std::int64_t> shape) {
  ValueType type{.kind = Kind::tensor, .dtype = dtype, .dims = std::vector<Dim>()};
  for (const std::int64_t d : shape) type.dims->push_back(Dim::of(d));
  return type;
}

}  // namespace aegis
