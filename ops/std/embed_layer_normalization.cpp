// com.microsoft.EmbedLayerNormalization: word, position and segment embeddings, summed and normalised.

#include "ops/lower.hpp"
#include "ops/lowering/skip_norm.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  // Inputs: word ids, segment ids, word, position and segment tables, scale, shift, mask, position ids.
  const Dims& ids = l.dims(l.in(0));
  if (ids.size() != 2 || l.rank(l.in(2)) != 2) return l.reject("ids must be [batch, length], tables [rows, width]");
  const std::int64_t batch = ids[0], length = ids[1], width = l.dims(l.in(2))[1];
  const DType type = l.type(l.in(2)), between = storage_type(compute_type(type));
  const Dims dims{batch, length, width};
  const auto rows = [&](SlotId table, SlotId index) {
    Dims picked = l.dims(index);
    picked.push_back(width);
    const SlotId slot = l.temp(type, picked);
    l.emit(GatherParams{.axis = 0}, {table, index}, {slot});
    return slot;
  };
  SlotId sum = rows(l.in(2), l.in(0));
  const auto add = [&](SlotId more) {
    const SlotId next = l.temp(between, dims);
    l.map(Fn::add, {sum, more}, next);
    sum = next;
  };
  add(rows(l.in(3), l.has(8) ? l.in(8) : l.iota(0, {1, length})));
  if (l.has(1) && l.has(4)) add(rows(l.in(4), l.in(1)));
  l.resolve(l.out(0), type, dims);
  l.resolve(l.out(1), DType::i32, {batch});
  l.resolve(l.out(2), type, dims);
  normalise_rows(l, RowNormParams::Kind::layer, sum, l.in(5), l.in(6), l.out(0));
  if (l.has_output(2)) l.map(Fn::identity, {sum}, l.out(2));
  if (!l.has_output(1)) return;
  if (l.has(7))
    l.emit(ReduceParams{.kind = ReduceParams::Kind::sum, .axes = 2}, {l.in(7)}, {l.out(1)});
  else
    l.fill(l.scalar(DType::i32, 0), l.out(1));
}

}  // namespace

AEGIS_OP(embed_layer_normalization) = {
    .name = "EmbedLayerNormalization",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::unknown,
    .risk = Risk::norm,
    .lower = lower_node,
};
