#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const std::int64_t p = attribute(l.node(), "p", std::int64_t{2});
  if (p != 1 && p != 2) return l.reject("p must be 1 or 2");
  lower_global_pool(l, p == 1 ? ReduceParams::Kind::l1 : ReduceParams::Kind::l2);
}

}  // namespace

AEGIS_OP(global_lp_pool) = {
    .name = "GlobalLpPool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::square,
    .lower = lower_node,
};
