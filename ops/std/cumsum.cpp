#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const auto axis = l.integers(1);
  if (!axis) return;
  if (axis->size() != 1) return l.reject("the axis must be one number");
  const auto flag = [&](const char* name) { return attribute(l.node(), name, std::int64_t{0}) != 0; };
  l.emit(
      ScanParams{
          .axis = l.axis((*axis)[0], l.rank(l.in(0))), .exclusive = flag("exclusive"), .reverse = flag("reverse")},
      {l.in(0)}, {l.out()});
}

}  // namespace

AEGIS_OP(cumsum) = {
    .name = "CumSum",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::cumsum,
    .risk = Risk::accum,
    .lower = lower_node,
};
