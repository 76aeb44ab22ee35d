#include "ops/lower.hpp"

using namespace aegis;

namespace {

// index (wrapped into 0 .. depth - 1) == position picks the on value.
void lower_node(Lowering& l) {
  const SlotId out = l.out(), indices = l.in(0);
  if (l.elements(l.in(2)) != 2) return l.reject("values must be an off and an on value");
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(out));
  if (l.failed()) return;
  const auto at = static_cast<std::size_t>(axis);
  const std::int64_t depth = l.dims(out)[at];
  Dims along(l.dims(out).size(), 1), spread = l.dims(indices);
  along[at] = depth;
  spread.insert(spread.begin() + axis, 1);
  const SlotId index = l.temp(DType::i64, l.dims(indices)), wrapped = l.temp(DType::i64, spread),
               hit = l.temp(DType::boolean, l.dims(out));
  l.map(Fn::identity, {indices}, index);
  // Indices outside -depth .. depth - 1 give a row of off values: shift the negative ones, leave the rest.
  const SlotId negative = l.temp(DType::boolean, spread), shifted = l.temp(DType::i64, spread),
               flat = l.view(index, spread);
  l.map(Fn::less, {flat, l.scalar(DType::i64, 0)}, negative);
  l.map(Fn::add, {flat, l.scalar(DType::i64, static_cast<double>(depth))}, shifted);
  l.map(Fn::where, {negative, shifted, flat}, wrapped);
  l.map(Fn::equal, {wrapped, l.iota(0, along)}, hit);
  const auto value = [&](std::int64_t i) {
    const SlotId slot = l.temp(l.type(l.in(2)), {1});
    const std::int64_t start[] = {i}, step[] = {1};
    l.take(l.in(2), slot, start, step);
    return slot;
  };
  l.map(Fn::where, {hit, value(1), value(0)}, out);
}

}  // namespace

AEGIS_OP(one_hot) = {
    .name = "OneHot",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
