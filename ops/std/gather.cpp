#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{0}), l.rank(l.in(0)));
  l.emit(GatherParams{.mode = GatherParams::Mode::take, .axis = axis}, {l.in(0), l.in(1)}, {l.out()});
}

}  // namespace

AEGIS_OP(gather) = {
    .name = "Gather",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::gather,
    .risk = Risk::move,
    .lower = lower_node,
};
