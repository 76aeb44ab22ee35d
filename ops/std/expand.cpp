#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { l.expand(l.in(0), l.out()); }

}  // namespace

AEGIS_OP(expand) = {
    .name = "Expand",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::expand,
    .risk = Risk::move,
    .lower = lower_node,
};
