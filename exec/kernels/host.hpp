// `host`: kernels whose output extents depend on the values.
#pragma once

#include "exec/kernels/kernel.hpp"
#include "exec/memory.hpp"

namespace aegis::kernels {

Result<Tensor> run_host(const HostParams&, Ins, const Memory&);

}  // namespace aegis::kernels
