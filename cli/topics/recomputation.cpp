#include "cli/topics.hpp"

AEGIS_TOPIC(recomputation) = {
    .name = "recomputation", .summary = "trading arithmetic for activation memory", .text = R"(## What
Training keeps the activations of the forward pass for the backward pass; a long branch of an inference graph keeps a
value until its last reader. Recomputation throws some of them away and computes them again where they are needed.

## The numbers
Re-running a whole transformer block in the backward pass costs about 33 % more FLOPs by count; a plan that looks at
when each value is read needs 24 %. The selective form recomputes attention scores and softmax, which are large and
cheap, for 2.4 to 2.8 %. In a 24-layer training step of plain ONNX operators the growth of peak memory fell from
302 to 146 MB at 2.8 % extra FLOPs, and to 107 MB at 24 %.

## Limits
A random operator or one with training state must not run twice. A plain copy of a node is merged back by the
runtime's common-subexpression elimination, so that the copy needs a barrier. Activation buffers are not all of a
process's memory: weights, workspace, allocator slack and the CUDA context are extra.

## What Aegis does
The rules AM401 to AM409 name values that live long and are cheap to make again, and the nodes of a recomputation that
a runtime would undo.
)"};
