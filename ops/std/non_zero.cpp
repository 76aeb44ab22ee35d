#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { l.emit(HostParams{.what = HostParams::What::non_zero}, {l.in(0)}, {l.out()}); }

}  // namespace

AEGIS_OP(non_zero) = {
    .name = "NonZero",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::order,
    .lower = lower_node,
};
