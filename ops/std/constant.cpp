#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Node& node = l.node();
  const auto give = [&](Tensor tensor) { l.alias(l.constant(std::move(tensor)), l.out()); };
  if (auto tensor = attribute_tensor(node, "value")) return give(*std::move(tensor));
  if (has_attribute(node, "value_int")) {
    const std::int64_t value = attribute(node, "value_int", std::int64_t{0});
    return give(from_integers({}, {&value, 1}));
  }
  if (const auto values = attribute_ints(node, "value_ints"))
    return give(from_integers({static_cast<std::int64_t>(values->size())}, *values));
  if (has_attribute(node, "value_float")) {
    const double value = static_cast<double>(attribute(node, "value_float", 0.0f));
    return give(from_doubles(DType::f32, {}, {&value, 1}));
  }
  if (const auto values = attribute_floats(node, "value_floats")) {
    const std::vector<double> wide(values->begin(), values->end());
    return give(from_doubles(DType::f32, {static_cast<std::int64_t>(wide.size())}, wide));
  }
  l.reject("constants of strings and sparse tensors are not handled");
}

}  // namespace

AEGIS_OP(constant) = {
    .name = "Constant",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::constant,
    .risk = Risk::move,
    .lower = lower_node,
};
