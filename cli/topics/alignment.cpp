#include "cli/topics.hpp"

AEGIS_TOPIC(alignment) = {
    .name = "alignment", .summary = "why a dim of 1023 can be slower than one of 1024", .text = R"(## What
Tensor Cores multiply small tiles. A kernel that feeds them loads 16 bytes at a time, and it can do so when every row of
its operands starts on a 16-byte border, which is when the contiguous dims are multiples of 16 bytes: 8 elements of FP16
or BF16, 4 of TF32, 16 of INT8 and FP8. With other sizes a library falls back to slower loads or to an older kernel.
FP8 and block formats are refused outright.

## Which dims
In a MatMul of M x K by K x N with row-major data the contiguous dims are K and N; M and batch are free. A Gemm with
transB = 1 asks for K alone. In a convolution it is the channels in and out; of a recurrent layer the input and hidden
sizes; of attention the size of one head. Padding M gains nothing, and no rule asks for it.

## The numbers
On A100 (read off published charts, 16-bit square products): full speed from 64 bytes on, 84 % with 16-byte rows,
about 50 % with 4-byte rows. On H100 published cases with rows off the 16-byte border range from no effect to a
factor of 6. So Aegis states a gain as a range with low confidence, and only a measurement settles it. A product that
waits for memory gains nothing from alignment: below half of the ridge point a finding is information only.

## What Aegis does
The rules AL101 to AL112 name the dim, the multiple and the share of time. `aegis rewrite --pad` pads weights when the
file is written, carries the padded extent through the graph and adds no operator inside it; inputs and outputs keep
their shapes. It pads where the predicted gain is 1.10 or more; --pad=always pads wherever that is legal.
)"};
