#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const bool tanh = attribute(l.node(), "approximate", "none") == "tanh";
  l.map(tanh ? Fn::gelu_tanh : Fn::gelu, {l.in(0)}, l.out());
}

}  // namespace

AEGIS_OP(gelu) = {
    .name = "Gelu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
