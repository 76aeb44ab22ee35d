#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const auto detect = [&](const char* name) { return static_cast<double>(attribute(l.node(), name, std::int64_t{1})); };
  l.map(Fn::is_inf, {l.in(0)}, l.out(), {detect("detect_negative"), detect("detect_positive")});
}

}  // namespace

AEGIS_OP(is_inf) = {
    .name = "IsInf",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
