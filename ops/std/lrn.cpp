#include "ops/lower.hpp"

using namespace aegis;

namespace {

// x / (bias + alpha / size * sum of squares over `size` neighbouring channels)^beta. The squares are placed into a
// longer channel axis with zeros at both ends, and `size` shifted windows of it are added.
void lower_node(Lowering& l) {
  const SlotId x = l.in(0);
  const std::int64_t size = attribute(l.node(), "size", std::int64_t{1});
  if (l.rank(x) < 2 || size < 1) return l.reject("channels and a positive size are needed");
  const DType between = storage_type(compute_type(l.type(x)));
  Dims wide = l.dims(x), at(l.dims(x).size(), 0);
  const Dims step(wide.size(), 1);
  wide[1] += size - 1;
  at[1] = (size - 1) / 2;
  const SlotId squares = l.temp(between, l.dims(x)), padded = l.temp(between, wide);
  l.map(Fn::mul, {x, x}, squares);
  l.fill(l.scalar(between, 0), padded);
  l.place(squares, padded, at);
  SlotId sum = no_slot;
  for (std::int64_t shift = 0; shift < size; ++shift) {
    at[1] = shift;
    const SlotId window = l.temp(between, l.dims(x));
    l.take(padded, window, at, step);
    if (sum == no_slot) {
      sum = window;
      continue;
    }
    const SlotId next = l.temp(between, l.dims(x));
    l.map(Fn::add, {sum, window}, next);
    sum = next;
  }
  const auto number = [&](const char* name, float otherwise) {
    return static_cast<double>(attribute(l.node(), name, otherwise));
  };
  const SlotId base = l.temp(between, l.dims(x)), power = l.temp(between, l.dims(x));
  l.map(Fn::mul_add,
        {sum, l.scalar(between, number("alpha", 1e-4f) / static_cast<double>(size)),
         l.scalar(between, number("bias", 1.0f))},
        base);
  l.map(Fn::pow, {base, l.scalar(between, number("beta", 0.75f))}, power);
  l.map(Fn::div, {x, power}, l.out());
}

}  // namespace

AEGIS_OP(lrn) = {
    .name = "LRN",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::lrn,
    .risk = Risk::square,
    .lower = lower_node,
};
