#include "cli/topics.hpp"

AEGIS_TOPIC(memory_bound) = {
    .name = "memory-bound", .summary = "when faster math does not help, and what does", .text = R"(## What
A kernel needs time for its arithmetic and time for its bytes, and the longer one decides. Arithmetic intensity is
FLOPs divided by the bytes that must move. A GPU's ridge point is its peak FLOP/s divided by its bandwidth: a kernel
below the ridge is memory-bound, one above it is compute-bound.

## The numbers
For BF16 the ridge is 295 FLOP/byte on an H100 SXM (989 TFLOP/s, 3.35 TB/s). A Linear layer of 1024 -> 4096 has an
intensity of 315 at batch 512 and of 1.0 at batch 1: at batch 1 it reads each weight for one multiplication. Relu has
0.25. A product of 4096 x 4096 weights becomes compute-bound at a batch of 166 on an A100-80 and of 345 on an H100.

## What helps
- more rows for each load of the weights: a larger batch
- fewer bytes: BF16 or FP16 halve them, quantised weights go further
- fewer trips to memory: fusing a chain of element-wise operators reads and writes once in place of once an operator
- fewer launches, where operators are so small that launching them takes longer than running them

What does not help: alignment, or more Tensor Cores.

## What Aegis does
`aegis inspect` gives the intensity and the class of each layer. The rules MB201 to MB211 name what waits for memory
and why. Two figures are kept apart: `fused` counts the bytes of a runtime that fuses, `op` those of one that runs
operator by operator.
)"};
