#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Row + k <= column picks the upper part, >= the lower.
void lower_node(Lowering& l) {
  std::int64_t k = 0;
  if (l.has(1)) {
    const auto given = l.integers(1);
    if (!given) return;
    if (given->size() != 1) return l.reject("k must be one number");
    k = (*given)[0];
  }
  const SlotId x = l.in(0);
  if (l.rank(x) < 2) return l.reject("at least two axes are needed");
  const std::int64_t rows = l.dims(x)[l.dims(x).size() - 2], columns = l.dims(x).back();
  const SlotId inside = l.temp(DType::boolean, {rows, columns});
  const bool upper = attribute(l.node(), "upper", std::int64_t{1}) != 0;
  l.map(upper ? Fn::less_equal : Fn::greater_equal, {l.iota(k, {rows, 1}), l.iota(0, {columns})}, inside);
  l.map(Fn::where, {inside, x, l.scalar(l.type(x), 0)}, l.out());
}

}  // namespace

AEGIS_OP(trilu) = {
    .name = "Trilu",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
