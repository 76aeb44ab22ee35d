// Bytes of live tensors, counted against a limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

class Memory {
 public:
  explicit Memory(std::uint64_t limit) : limit_(limit), used_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

  // A zeroed tensor; its bytes count until the last copy of it is gone. Errors: an extent below zero, the limit
  // reached.
  Result<Tensor> allocate(DType type, std::vector<std::int64_t> dims) const;
  std::uint64_t used() const { return *used_; }

 private:
  std::uint64_t limit_;
  std::shared_ptr<std::atomic<std::uint64_t>> used_;
};

}  // namespace aegis
