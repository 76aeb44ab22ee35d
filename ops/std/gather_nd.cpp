#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const auto batch = static_cast<int>(attribute(l.node(), "batch_dims", std::int64_t{0}));
  if (batch < 0) return l.reject("batch_dims must not be negative");
  l.emit(GatherParams{.mode = GatherParams::Mode::nd, .axis = batch}, {l.in(0), l.in(1)}, {l.out()});
}

}  // namespace

AEGIS_OP(gather_nd) = {
    .name = "GatherND",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
