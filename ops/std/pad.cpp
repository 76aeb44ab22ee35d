#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Negative padding crops. Modes other than `constant` pick positions along each padded axis in turn.
void lower_node(Lowering& l) {
  const SlotId in = l.in(0), out = l.out();
  const auto rank = static_cast<std::size_t>(l.rank(in));
  std::optional<Dims> pads, axes;
  if (l.opset() < 11) {
    pads = attribute_ints(l.node(), l.opset() < 2 ? "paddings" : "pads");
    if (!pads) return l.reject("pads is missing");
  } else {
    pads = l.integers(1);
    if (l.has(3)) axes = l.integers(3);
    if (l.failed()) return;
  }
  Dims before(rank, 0), after(rank, 0);
  const std::size_t given = pads->size() / 2;
  for (std::size_t i = 0; i < given; ++i) {
    const auto axis = static_cast<std::size_t>(l.axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), l.rank(in)));
    if (l.failed()) return;
    before[axis] = (*pads)[i];
    after[axis] = (*pads)[given + i];
  }
  const std::string mode = attribute(l.node(), "mode", "constant");
  if (mode == "constant") {
    SlotId value = l.opset() >= 11 ? l.in(2) : no_slot;
    if (value == no_slot) value = l.scalar(l.type(in), static_cast<double>(attribute(l.node(), "value", 0.0f)));
    l.fill(value, out);
    Dims kept(rank), start(rank), at(rank);
    const Dims step(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
      start[i] = before[i] < 0 ? -before[i] : 0;
      at[i] = before[i] > 0 ? before[i] : 0;
      kept[i] = l.dims(in)[i] - start[i] + (after[i] < 0 ? after[i] : 0);
      if (kept[i] <= 0) return;
    }
    if (kept == l.dims(in)) return l.place(in, out, at);
    const SlotId middle = l.temp(l.type(in), kept);
    l.take(in, middle, start, step);
    return l.place(middle, out, at);
  }
  SlotId now = in;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = l.dims(in)[axis], wanted = l.dims(out)[axis];
    if (before[axis] == 0 && after[axis] == 0) continue;
    if (extent == 0) return l.reject("an empty axis cannot be extended");
    Dims index;
    for (std::int64_t i = 0; i < wanted; ++i) {
      std::int64_t from = i - before[axis];
      if (mode == "edge") from = from < 0 ? 0 : from >= extent ? extent - 1 : from;
      if (mode == "wrap") from = (from % extent + extent) % extent;
      if (mode == "reflect" && extent > 1) {
        const std::int64_t period = 2 * (extent - 1);
        from = (from % period + period) % period;
        if (from >= extent) from = period - from;
      } else if (mode == "reflect") {
        from = 0;
      }
      index.push_back(from);
    }
    Dims dims = l.dims(now);
    dims[axis] = wanted;
    const SlotId next = l.temp(l.type(in), dims);
    l.emit(GatherParams{.axis = static_cast<int>(axis)}, {now, l.constant(from_integers({wanted}, index))}, {next});
    now = next;
  }
  l.alias(now, out);
}

}  // namespace

AEGIS_OP(pad) = {
    .name = "Pad",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::pad,
    .risk = Risk::move,
    .lower = lower_node,
};
