#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  SlotId in = l.in(0);
  int axis = 0;
  if (has_attribute(l.node(), "axis"))
    axis = l.axis(attribute(l.node(), "axis", std::int64_t{0}), l.rank(in));
  else
    in = l.view(in, {l.elements(in)});
  l.emit(HostParams{.what = HostParams::What::compress, .axis = axis}, {in, l.in(1)}, {l.out()});
}

}  // namespace

AEGIS_OP(compress) = {
    .name = "Compress",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
