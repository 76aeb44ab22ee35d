#include "ops/lower.hpp"
#include "ops/lowering/biased.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  lower_biased(l, Fn::swish, {static_cast<double>(attribute(l.node(), "alpha", 1.702f))});
}

}  // namespace

AEGIS_OP(quick_gelu) = {
    .name = "QuickGelu",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::elementwise, .flops = 6},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
