#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { l.map(Fn::where, {l.in(0), l.in(1), l.in(2)}, l.out()); }

}  // namespace

AEGIS_OP(where) = {
    .name = "Where",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
