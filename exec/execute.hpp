// Runs the program of one node: slots become tensors, calls become kernels.
#pragma once

#include <span>
#include <vector>

#include "exec/memory.hpp"
#include "exec/parallel.hpp"
#include "model/result.hpp"
#include "ops/lower.hpp"

namespace aegis {

// `inputs` has a tensor for every input slot that a call reads (others may be null); gives the output slots, a tensor
// without type where the node has no such output.
Result<std::vector<Tensor>> execute(const Program& program, std::span<const Tensor* const> inputs, const Memory& memory,
                                    Parallel& parallel);

}  // namespace aegis
