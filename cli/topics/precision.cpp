#include "cli/topics.hpp"

AEGIS_TOPIC(precision) = {
    .name = "precision", .summary = "what FP16 and BF16 can hold, and which nodes must stay wide", .text = R"(## What
FP16 has 10 stored bits of mantissa and ends at 65504. BF16 has 7 and the range of FP32. FP16 fails by overflow and
underflow, BF16 by resolution.

## The numbers
                             FP16          BF16
  largest finite             65504         3.39e38
  smallest normal            6.10e-5       1.18e-38
  relative rounding error    4.88e-4       3.91e-3
  integers exact up to       2048          256
  x*x overflows above        255.97        1.84e19
  exp(x) overflows above     11.09         88.72
  1e-8 becomes               0             1e-8 within 0.2 %
  -1e9 becomes               -inf          -9.98e8
  Gaussian tensor, rounded   73.7 dB SNR   55.6 dB SNR

## What goes wrong
- an epsilon of 1e-8 or 1e-12 is 0 in FP16: division by zero
- a mask of -1e9 is -inf in FP16, and -inf minus -inf is not a number
- squares and their sums overflow: norms written out of single operators
- positions, indices and angles lose whole numbers above 256 in BF16
- adding small terms to a large running sum stops changing it

## What Aegis does
The rules PR301 to PR346 find these. A rule may pin its nodes: `aegis rewrite --bf16` or `--fp16` leaves those in FP32,
says so with the rule's code, and recasts everything else that the schema allows. Products accumulate in FP32, fused
norms keep FP32 statistics, inputs and outputs of the graph keep their types. Then both models run on the same inputs,
each BF16 or FP16 value rounded after each operator, and the result counts only if the signal-to-noise ratio passes.
)"};
