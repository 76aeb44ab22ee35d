#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  l.map(Fn::hard_sigmoid, {l.in(0)}, l.out(), {attribute(l.node(), "alpha", 0.2f), attribute(l.node(), "beta", 0.5f)});
}

}  // namespace

AEGIS_OP(hard_sigmoid) = {
    .name = "HardSigmoid",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
