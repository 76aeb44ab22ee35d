#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Inference form: the statistics are inputs. Scale, bias, mean and variance lie along the channel axis.
void lower_node(Lowering& l) {
  if (attribute(l.node(), "training_mode", std::int64_t{0}) != 0) return l.reject("training mode is not handled");
  const SlotId x = l.in(0);
  const auto rank = static_cast<std::size_t>(l.rank(x));
  Dims dims(rank > 1 ? rank - 1 : 1, 1);
  dims[0] = l.elements(l.in(1));
  const auto along = [&](std::size_t input) { return l.view(l.in(input), dims); };
  const double epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  l.map(Fn::batch_norm, {x, along(1), along(2), along(3), along(4)}, l.out(), {epsilon});
}

}  // namespace

AEGIS_OP(batch_normalization) = {
    .name = "BatchNormalization",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::batch_norm,
    .risk = Risk::norm,
    .lower = lower_node,
};
