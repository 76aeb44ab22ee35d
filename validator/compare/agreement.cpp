#include "validator/compare/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace aegis {
namespace {

// Place of the largest element; -1 when the row holds a NaN.
std::int64_t first_place(std::span<const double> row) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (std::isnan(row[i])) return -1;
    if (row[i] > row[best]) best = i;
  }
  return static_cast<std::int64_t>(best);
}

// How many elements stand before `place` when the row is sorted downwards, ties in file order.
std::size_t rank_of(std::span<const double> row, std::size_t place) {
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] > row[place] || (row[i] == row[place] && i < place)) ++ahead;
  return ahead;
}

}  // namespace

Agreement wilson(std::uint64_t hits, std::uint64_t n) {
  if (n == 0) return {.share = 0, .low = 0, .high = 1, .n = 0};
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the normal distribution
  const double total = static_cast<double>(n), p = static_cast<double>(hits) / total;
  const double denominator = 1 + z * z / total;
  const double centre = (p + z * z / (2 * total)) / denominator;
  const double half = z / denominator * std::sqrt(p * (1 - p) / total + z * z / (4 * total * total));
  return {.share = p, .low = std::max(0.0, centre - half), .high = std::min(1.0, centre + half), .n = n};
}

std::optional<RowHits> row_hits(const Tensor& before, const Tensor& after) {
  const std::size_t rank = before.dims.size();
  if (!is_float(before.type) || !is_float(after.type) || before.dims != after.dims) return std::nullopt;
  if (rank < 2 || rank > 3 || before.dims.back() < 2) return std::nullopt;
  const auto a = to_doubles(before), b = to_doubles(after);
  if (!a || !b) return std::nullopt;
  const auto classes = static_cast<std::size_t>(before.dims.back());
  RowHits hits{.rows = a->size() / classes, .top1 = 0, .top5 = 0, .five = classes >= 6};
  for (std::size_t row = 0; row < hits.rows; ++row) {
    const auto x = std::span(*a).subspan(row * classes, classes), y = std::span(*b).subspan(row * classes, classes);
    const std::int64_t p = first_place(x), q = first_place(y);
    if (p < 0 || q < 0) continue;
    hits.top1 += p == q;
    hits.top5 += rank_of(y, static_cast<std::size_t>(p)) < 5;
  }
  return hits;
}

std::uint64_t right_answers(const Tensor& scores, std::span<const std::int64_t> labels) {
  const auto values = to_doubles(scores);
  if (!values || labels.empty()) return 0;
  const std::size_t classes = values->size() / labels.size();
  std::uint64_t right = 0;
  for (std::size_t row = 0; row < labels.size(); ++row)
    right += first_place(std::span(*values).subspan(row * classes, classes)) == labels[row];
  return right;
}

}  // namespace aegis
