#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  l.map(Fn::shrink, {l.in(0)}, l.out(), {attribute(l.node(), "bias", 0.0f), attribute(l.node(), "lambd", 0.5f)});
}

}  // namespace

AEGIS_OP(shrink) = {
    .name = "Shrink",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
