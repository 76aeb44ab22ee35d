#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  auto value = attribute_tensor(l.node(), "value");
  if (value && value->elements() != 1) return l.reject("the value must be one element");
  if (value) value->dims.clear();
  l.fill(value ? l.constant(*std::move(value)) : l.scalar(DType::f32, 0), l.out());
}

}  // namespace

AEGIS_OP(constant_of_shape) = {
    .name = "ConstantOfShape",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
