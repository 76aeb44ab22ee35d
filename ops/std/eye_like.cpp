#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const SlotId out = l.out();
  if (l.rank(out) != 2) return l.reject("a matrix is needed");
  const std::int64_t k = attribute(l.node(), "k", std::int64_t{0}), rows = l.dims(out)[0], columns = l.dims(out)[1];
  l.map(Fn::equal, {l.iota(k, {rows, 1}), l.iota(0, {columns})}, out);
}

}  // namespace

AEGIS_OP(eye_like) = {
    .name = "EyeLike",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
