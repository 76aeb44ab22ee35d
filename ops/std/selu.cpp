#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  l.map(Fn::selu, {l.in(0)}, l.out(),
        {attribute(l.node(), "alpha", 1.67326319217681884765625f),
         attribute(l.node(), "gamma", 1.05070102214813232421875f)});
}

}  // namespace

AEGIS_OP(selu) = {
    .name = "Selu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
