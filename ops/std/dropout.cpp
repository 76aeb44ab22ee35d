#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Inference form: the data passes, nothing is dropped.
void lower_node(Lowering& l) {
  if (l.opset() >= 12 && l.has(2)) {
    const auto training = l.integers(2);
    if (!training) return;
    if (!training->empty() && (*training)[0] != 0) return l.reject("training mode is not handled");
  }
  l.alias(l.in(0), l.out(0));
  if (l.has_output(1)) l.fill(l.scalar(l.type(l.out(1)), 1), l.out(1));
}

}  // namespace

AEGIS_OP(dropout) = {
    .name = "Dropout",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
