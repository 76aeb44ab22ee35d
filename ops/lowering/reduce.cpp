#include "ops/lowering/reduce.hpp"

namespace aegis {

std::optional<std::uint32_t> reduced_axes(Lowering& l, std::int64_t input_since) {
  const int rank = l.rank(l.in(0));
  if (rank > 32) {
    l.reject("rank above 32");
    return std::nullopt;
  }
  std::vector<std::int64_t> axes;
  if (l.opset() >= input_since && l.has(1)) {
    const auto given = l.integers(1);
    if (!given) return std::nullopt;
    axes = *given;
  } else if (const auto given = attribute_ints(l.node(), "axes")) {
    axes = *given;
  }
  std::uint32_t bits = 0;
  for (const std::int64_t axis : axes) bits |= 1u << l.axis(axis, rank);
  if (axes.empty() && attribute(l.node(), "noop_with_empty_axes", std::int64_t{0}) == 0)
    for (int axis = 0; axis < rank; ++axis) bits |= 1u << axis;
  return bits;
}

void lower_reduce(Lowering& l, ReduceParams::Kind kind, std::int64_t input_since) {
  const auto axes = reduced_axes(l, input_since);
  if (axes) l.emit(ReduceParams{.kind = kind, .axes = *axes}, {l.in(0)}, {l.out()});
}

void lower_arg(Lowering& l, ReduceParams::Kind kind) {
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{0}), l.rank(l.in(0)));
  const bool last = attribute(l.node(), "select_last_index", std::int64_t{0}) != 0;
  if (axis > 31) return l.reject("rank above 32");
  l.emit(ReduceParams{.kind = kind, .axes = 1u << axis, .select_last = last}, {l.in(0)}, {l.out()});
}

void lower_global_pool(Lowering& l, ReduceParams::Kind kind) {
  std::uint32_t axes = 0;
  for (int axis = 2; axis < l.rank(l.in(0)) && axis < 32; ++axis) axes |= 1u << axis;
  l.emit(ReduceParams{.kind = kind, .axes = axes}, {l.in(0)}, {l.out()});
}

}  // namespace aegis
