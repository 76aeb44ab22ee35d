#include <cmath>

#include "ops/lower.hpp"

using namespace aegis;

namespace {

// start + i * delta; the operands may also be vectors of one element.
void lower_node(Lowering& l) {
  const auto start = l.numbers(0), limit = l.numbers(1), delta = l.numbers(2);
  if (l.failed()) return;
  if (start->size() != 1 || limit->size() != 1 || delta->size() != 1 || (*delta)[0] == 0)
    return l.reject("start, limit and delta must be one number each, delta not 0");
  const double count = std::ceil(((*limit)[0] - (*start)[0]) / (*delta)[0]);
  l.resolve(l.out(), l.type(l.in(0)), {count > 0 ? static_cast<std::int64_t>(count) : 0});
  const auto scalar = [&](std::size_t input) { return l.view(l.in(input), {}); };
  l.map(Fn::mul_add, {l.iota(0, l.dims(l.out())), scalar(2), scalar(0)}, l.out());
}

}  // namespace

AEGIS_OP(range) = {
    .name = "Range",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::position,
    .lower = lower_node,
};
