// The kernels of the CPU engine: one function per primitive. Operands are dense, row-major and of the extents that the
// call's parameters or the operand state; outputs are zeroed when they arrive. Errors are those of the data: an index
// out of range. Every kernel may split its work over `parallel`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exec/parallel.hpp"
#include "model/result.hpp"
#include "ops/prim.hpp"

namespace aegis::kernels {

struct In {
  DType type = DType::undefined;
  std::span<const std::int64_t> dims;
  const std::byte* data = nullptr;  // null: the optional operand is absent
  explicit operator bool() const { return data != nullptr; }
};
struct Out {
  DType type = DType::undefined;
  std::span<const std::int64_t> dims;
  std::byte* data = nullptr;
  explicit operator bool() const { return data != nullptr; }
};
using Ins = std::span<const In>;
using Outs = std::span<const Out>;

Result<void> run(const MapParams&, Ins, Outs, Parallel&);
Result<void> run(const CopyParams&, Ins, Outs, Parallel&);
Result<void> run(const GatherParams&, Ins, Outs, Parallel&);
Result<void> run(const ScatterParams&, Ins, Outs, Parallel&);
Result<void> run(const ReduceParams&, Ins, Outs, Parallel&);
Result<void> run(const RowNormParams&, Ins, Outs, Parallel&);
Result<void> run(const ScanParams&, Ins, Outs, Parallel&);
Result<void> run(const SortParams&, Ins, Outs, Parallel&);
Result<void> run(const GemmParams&, Ins, Outs, Parallel&);
Result<void> run(const ConvParams&, Ins, Outs, Parallel&);
Result<void> run(const PoolParams&, Ins, Outs, Parallel&);

std::int64_t count(std::span<const std::int64_t> dims);  // product of the extents

}  // namespace aegis::kernels
