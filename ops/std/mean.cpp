#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { lower_variadic(l, Fn::add, true); }

}  // namespace

AEGIS_OP(mean) = {
    .name = "Mean",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::accum,
    .lower = lower_node,
};
