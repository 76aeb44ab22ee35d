#include "ops/graph/patterns.hpp"

#include <limits>

#include "ops/fact.hpp"
#include "ops/graph/groups.hpp"

using namespace aegis;

namespace {

const aegis_pattern* make(FactTable& table, const PatternInstance& p) {
  auto* fact = table.make<aegis_pattern>();
  fact->kind = p.kind;
  fact->flags = p.flags;
  fact->anchor = handle(p.anchor);
  fact->nodes = table.nodes(p.nodes);
  fact->in = handle(p.in);
  fact->out = handle(p.out);
  fact->scale = handle(p.scale);
  fact->shift = handle(p.shift);
  fact->epsilon = handle(p.epsilon);
  fact->min_opset = p.min_opset;
  fact->epsilon_value = p.epsilon_value.value_or(std::numeric_limits<double>::quiet_NaN());
  fact->n = table.dim(p.n);
  fact->fused_op = table.text(p.fused_op);
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const PatternInstance* p = table.analysis<Patterns>().of(id);
  return p ? make(table, *p) : nullptr;
}

const void* of_group(FactTable& table, GroupId id, aegis_absence&) {
  const GroupData& group = table.analysis<Groups>().group(id);
  return group.kind == AEGIS_GROUP_NODES ? nullptr : make(table, group.pattern);
}

}  // namespace

AEGIS_FACT(pattern) = {.id = AEGIS_FACT_PATTERN, .of_node = of_node, .of_group = of_group};
