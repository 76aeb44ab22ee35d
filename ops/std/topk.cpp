#include "ops/lower.hpp"

using namespace aegis;

namespace {

// k is an attribute before opset 10; the output's extents hold it.
void lower_node(Lowering& l) {
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(l.in(0)));
  const bool largest = attribute(l.node(), "largest", std::int64_t{1}) != 0;
  l.emit(SortParams{.axis = axis, .largest = largest}, {l.in(0)}, {l.out(0), l.out(1)});
}

}  // namespace

AEGIS_OP(topk) = {
    .name = "TopK",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::topk,
    .risk = Risk::order,
    .lower = lower_node,
};
