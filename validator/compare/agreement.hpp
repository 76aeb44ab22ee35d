// Does the largest element of each row stand at the same place in both tensors?
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/tensor.hpp"

namespace aegis {

struct Agreement {
  double share = 0, low = 0, high = 0;  // with a 95 % Wilson interval
  std::uint64_t n = 0;
};

// Wilson score interval: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
// Journal of the American Statistical Association 22 (1927). n = 0 gives [0, 1].
Agreement wilson(std::uint64_t hits, std::uint64_t n);

// Counts over rows of the last axis. The first of equal elements is the largest; a row that holds a NaN never agrees.
struct RowHits {
  std::uint64_t rows = 0;
  std::uint64_t top1 = 0;  // same first place
  std::uint64_t top5 = 0;  // the first place of `before` is among the first five of `after`
  bool five = false;       // rows have six or more elements, so that top5 says something
};
// Absent unless both are float tensors of one shape, of rank 2 or 3, with a last axis of two or more.
std::optional<RowHits> row_hits(const Tensor& before, const Tensor& after);

// Rows whose largest element stands at the label's place. `labels` has one entry per row.
std::uint64_t right_answers(const Tensor& scores, std::span<const std::int64_t> labels);

}  // namespace aegis
