#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { lower_binary(l, attribute(l.node(), "fmod", std::int64_t{0}) ? Fn::fmod : Fn::mod); }

}  // namespace

AEGIS_OP(mod) = {
    .name = "Mod",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_node,
};
