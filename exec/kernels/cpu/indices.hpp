// Index tensors and walks over coordinates, for gather and scatter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {

// Whole bytes of an element; 0 for strings and packed types.
std::size_t element_bytes(DType type);
// 0 .. extent - 1 from an index that may count from the end.
Result<std::int64_t> in_range(std::int64_t index, std::int64_t extent);
Result<std::vector<std::int64_t>> read_indices(const In& indices, std::int64_t extent);
std::vector<std::int64_t> row_major(std::span<const std::int64_t> dims);

// Runs through all coordinates of a shape in row-major order.
class Coordinates {
 public:
  explicit Coordinates(std::span<const std::int64_t> dims) : dims_(dims), at_(dims.size(), 0) {}
  std::int64_t operator[](std::size_t axis) const { return at_[axis]; }
  void next() {
    for (std::size_t i = at_.size(); i-- > 0;) {
      if (++at_[i] < dims_[i]) return;
      at_[i] = 0;
    }
  }
  std::int64_t dot(std::span<const std::int64_t> strides) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < at_.size(); ++i) sum += at_[i] * strides[i];
    return sum;
  }

 private:
  std::span<const std::int64_t> dims_;
  std::vector<std::int64_t> at_;
};

}  // namespace aegis::kernels
