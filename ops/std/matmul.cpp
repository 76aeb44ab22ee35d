#include "ops/lower.hpp"

using namespace aegis;

namespace {

// numpy's rules: a vector operand is a row on the left, a column on the right; leading axes broadcast. A matrix on the
// right folds the left operand's batch into its rows.
void lower_node(Lowering& l) {
  Dims a = l.dims(l.in(0)), b = l.dims(l.in(1));
  if (a.empty() || b.empty()) return l.reject("operands need at least one axis");
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  GemmParams g{.m = a[a.size() - 2], .n = b.back(), .k = a.back()};
  a.resize(a.size() - 2);
  const Dims b_whole = b;
  b.resize(b.size() - 2);
  if (b.empty()) {
    for (const std::int64_t extent : a) g.m *= extent;
    a.clear();
  }
  const std::size_t rank = a.size() > b.size() ? a.size() : b.size();
  if (rank > max_rank) return l.reject("too many batch axes");
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  g.batch_rank = static_cast<int>(rank);
  std::int64_t a_size = g.m * g.k, b_size = g.k * g.n;
  for (std::size_t i = rank; i-- > 0;) {
    g.batch[i] = a[i] == 1 ? b[i] : a[i];
    g.a_stride[i] = a[i] == 1 ? 0 : a_size;
    g.b_stride[i] = b[i] == 1 ? 0 : b_size;
    a_size *= a[i];
    b_size *= b[i];
  }
  l.emit(g, {l.in(0), l.in(1)}, {l.out()});
}

}  // namespace

AEGIS_OP(matmul) = {
    .name = "MatMul",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::gemm,
    .lower = lower_node,
};
