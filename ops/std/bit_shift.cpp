#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  lower_binary(l, attribute(l.node(), "direction", "") == "LEFT" ? Fn::shift_left : Fn::shift_right);
}

}  // namespace

AEGIS_OP(bit_shift) = {
    .name = "BitShift",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_node,
};
