#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims &a = l.dims(l.in(0)), &b = l.dims(l.in(1));
  if (a.size() != 2 || b.size() != 2) return l.reject("operands must be matrices");
  GemmParams g;
  g.trans_a = attribute(l.node(), "transA", std::int64_t{0}) != 0;
  g.trans_b = attribute(l.node(), "transB", std::int64_t{0}) != 0;
  g.m = g.trans_a ? a[1] : a[0];
  g.k = g.trans_a ? a[0] : a[1];
  g.n = g.trans_b ? b[0] : b[1];
  if (g.k != (g.trans_b ? b[1] : b[0])) return l.reject("the inner extents of the operands differ");
  g.alpha = static_cast<double>(attribute(l.node(), "alpha", 1.0f));
  g.beta = static_cast<double>(attribute(l.node(), "beta", 1.0f));
  const SlotId c = g.beta == 0 ? no_slot : l.in(2);
  if (c != no_slot) {
    const Dims& dims = l.dims(c);
    if (dims.size() > 2) return l.reject("the bias has more than two axes");
    const std::int64_t columns = dims.empty() ? 1 : dims.back(), rows = dims.size() < 2 ? 1 : dims[0];
    if ((columns != 1 && columns != g.n) || (rows != 1 && rows != g.m)) return l.reject("the bias does not broadcast");
    g.bias_column_stride = columns == 1 ? 0 : 1;
    g.bias_row_stride = rows == 1 ? 0 : columns;
  }
  l.emit(g, {l.in(0), l.in(1), c}, {l.out()});
}

}  // namespace

AEGIS_OP(gemm) = {
    .name = "Gemm",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::gemm,
    .risk = Risk::gemm,
    .lower = lower_node,
};
