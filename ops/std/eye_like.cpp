#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const SlotId out = l.out();
  if (l.rank(out) != 2) return l.reject("a matrix is needed");
  const std::int64_t k = attribute(l.node(), "k", std::int64_t{0}), rows = l.dims(out)[0], columns = l.dims(out)[1];
  const auto count = [&](std::int64_t n, std::int64_t from, Dims dims) {
    Dims values;
    for (std::int64_t i = 0; i < n; ++i) values.push_back(i + from);
    return l.constant(from_integers(std::move(dims), values));
  };
  l.map(Fn::equal, {count(rows, k, {rows, 1}), count(columns, 0, {columns})}, out);
}

}  // namespace

AEGIS_OP(eye_like) = {
    .name = "EyeLike",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
