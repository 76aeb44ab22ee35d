#include "ops/lowering/matmul.hpp"

#include "ops/lowering/quantize.hpp"

namespace aegis {

// A vector operand is a row on the left, a column on the right; leading axes broadcast. A matrix on the right folds the
// left operand's batch into its rows.
void lower_matmul(Lowering& l, SlotId left, SlotId right, SlotId out) {
  Dims a = l.dims(left), b = l.dims(right);
  if (a.empty() || b.empty()) return l.reject("operands need at least one axis");
  if (a.size() == 1) a.insert(a.begin(), 1);
  if (b.size() == 1) b.push_back(1);
  if (a.back() != b[b.size() - 2]) return l.reject("the inner extents of the operands differ");
  GemmParams g{.m = a[a.size() - 2], .n = b.back(), .k = a.back()};
  a.resize(a.size() - 2);
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
    if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return l.reject("the batch axes do not broadcast");
    g.batch[i] = a[i] == 1 ? b[i] : a[i];
    g.a_stride[i] = a[i] == 1 ? 0 : a_size;
    g.b_stride[i] = b[i] == 1 ? 0 : b_size;
    a_size *= a[i];
    b_size *= b[i];
  }
  l.emit(g, {left, right}, {out});
}

void lower_centred_matmul(Lowering& l, SlotId left, SlotId left_zero, SlotId right, SlotId right_zero, SlotId out) {
  const auto centred = [&](SlotId x, SlotId zero, bool rows) {
    const SlotId result = l.temp(DType::i32, l.dims(x));
    if (zero == no_slot)
      l.map(Fn::identity, {x}, result);
    else
      l.map(Fn::sub, {x, against_matrix(l, zero, rows)}, result);
    return result;
  };
  lower_matmul(l, centred(left, left_zero, true), centred(right, right_zero, false), out);
}

}  // namespace aegis
