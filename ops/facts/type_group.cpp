#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"
#include "ops/graph/type_groups.hpp"

using namespace aegis;

namespace {

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const auto& groups = table.analysis<TypeGroups>();
  const int which = groups.of(id);
  if (which < 0) return nullptr;
  const TypeGroup& group = groups.group(which);
  auto* fact = table.make<aegis_type_group>();
  fact->id = static_cast<std::uint32_t>(which);
  fact->flags = group.flags;
  fact->now = compute_of(group.now);
  fact->planned = compute_of(group.planned);
  fact->allowed = group.allowed;
  fact->nodes = {group.nodes.data(), group.nodes.size()};
  fact->values = {group.values.data(), group.values.size()};
  fact->cause = table.text(group.cause);
  if (const NodeId producer = table.model().value(id).producer; producer != NodeId::none)
    if (const Op* op = table.analysis<Structure>().op(producer)) fact->risk = static_cast<std::uint32_t>(op->risk);
  return fact;
}

}  // namespace

AEGIS_FACT(type_group) = {.id = AEGIS_FACT_TYPE_GROUP, .of_value = of_value};
