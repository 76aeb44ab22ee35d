#include "ops/lower.hpp"

using namespace aegis;

namespace {

// A row is one channel of one image.
void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  if (dims.size() < 2) return l.reject("at least two axes are needed");
  if (l.elements(l.in(1)) != dims[1] || l.elements(l.in(2)) != dims[1])
    return l.reject("scale and bias must have one element per channel");
  RowNormParams p{.kind = RowNormParams::Kind::layer, .outer = dims[0] * dims[1]};
  for (std::size_t i = 2; i < dims.size(); ++i) p.length *= dims[i];
  p.channels = dims[1];
  p.rows_to_channel = 1;
  p.per_channel = p.length > 0 ? p.length : 1;
  p.epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  l.emit(p, {l.in(0), l.in(1), l.in(2)}, {l.out()});
}

}  // namespace

AEGIS_OP(instance_normalization) = {
    .name = "InstanceNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::instance_norm,
    .risk = Risk::norm,
    .lower = lower_node,
};
