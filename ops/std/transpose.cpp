#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  Dims reversed;
  for (std::int64_t axis = l.rank(l.in(0)); axis-- > 0;) reversed.push_back(axis);
  const Dims permutation = attribute_ints(l.node(), "perm").value_or(reversed);
  l.transpose(l.in(0), l.out(), permutation);
}

}  // namespace

AEGIS_OP(transpose) = {
    .name = "Transpose",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::transpose,
    .risk = Risk::move,
    .lower = lower_node,
};
