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
  l.resolve(l.out(0), l.type(l.in(0)), l.dims(l.in(0)));
  // Before opset 10 the mask had the data's type.
  l.resolve(l.out(1), l.opset() < 10 ? l.type(l.in(0)) : DType::boolean, l.dims(l.in(0)));
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
