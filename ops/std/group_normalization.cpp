#include "ops/lower.hpp"

using namespace aegis;

namespace {

// A row is one group of channels of one image. Scale and bias are per group before opset 21, then per channel.
void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  const std::int64_t groups = attribute(l.node(), "num_groups", std::int64_t{1});
  if (dims.size() < 2 || groups < 1 || dims[1] % groups != 0)
    return l.reject("the channels do not divide into num_groups");
  l.resolve(l.out(), l.type(l.in(0)), dims);
  std::int64_t plane = 1;
  for (std::size_t i = 2; i < dims.size(); ++i) plane *= dims[i];
  const std::int64_t each = dims[1] / groups;
  RowNormParams p{.kind = RowNormParams::Kind::layer, .outer = dims[0] * groups, .length = each * plane};
  p.epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  if (l.elements(l.in(1)) != l.elements(l.in(2)) || (l.elements(l.in(1)) != dims[1] && l.elements(l.in(1)) != groups))
    return l.reject("scale and bias must have one element per channel or per group");
  if (l.elements(l.in(1)) == dims[1]) {
    p.channels = dims[1];
    p.rows_to_channel = each;
    p.per_channel = plane > 0 ? plane : 1;
  } else {
    p.channels = groups;
    p.rows_to_channel = 1;
    p.per_channel = p.length > 0 ? p.length : 1;
  }
  l.emit(p, {l.in(0), l.in(1), l.in(2)}, {l.out()});
}

}  // namespace

AEGIS_OP(group_normalization) = {
    .name = "GroupNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::group_norm,
    .risk = Risk::norm,
    .lower = lower_node,
};
