#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Bounds are attributes before opset 10, then inputs.
void lower_node(Lowering& l) {
  const SlotId in = l.in(0);
  std::optional<Dims> starts, axes, steps;
  if (l.opset() < 10) {
    starts = attribute_ints(l.node(), "starts");
    axes = attribute_ints(l.node(), "axes");
  } else {
    starts = l.integers(1);
    if (l.has(3)) axes = l.integers(3);
    if (l.has(4)) steps = l.integers(4);
  }
  if (l.failed()) return;
  if (!starts) return l.reject("starts is missing");
  Dims start(l.dims(in).size(), 0), step(l.dims(in).size(), 1);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const auto axis = static_cast<std::size_t>(l.axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), l.rank(in)));
    if (l.failed()) return;
    const std::int64_t extent = l.dims(in)[axis];
    step[axis] = steps ? (*steps)[i] : 1;
    std::int64_t from = (*starts)[i];
    if (from < 0) from += extent;
    const std::int64_t last = step[axis] < 0 ? extent - 1 : extent;
    start[axis] = from < 0 ? 0 : from > last ? last : from;
  }
  if (l.elements(l.out()) == 0) return l.fill(l.scalar(DType::f32, 0), l.out());
  l.take(in, l.out(), start, step);
}

}  // namespace

AEGIS_OP(slice) = {
    .name = "Slice",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::slice,
    .risk = Risk::move,
    .lower = lower_node,
};
