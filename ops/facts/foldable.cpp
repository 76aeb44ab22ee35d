#include <algorithm>
#include <set>

#include "ops/cost/as.hpp"
#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

// Everything that a value is computed from, down to constants and shapes.
struct Origins {
  std::vector<NodeId> nodes;
  bool reads_weights = false;
  bool open = false;                // depends on graph inputs or on unknown things
  std::set<std::uint32_t> symbols;  // that shapes in it wait for
};

constexpr std::size_t limit = 512;

void walk(FactTable& table, ValueId value, std::set<NodeId>& seen, Origins& out) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  if (const TensorSource* source = model.constant(value); source && model.value(value).initializer) {
    out.reads_weights = out.reads_weights || source->raw_size() > 1024;
    return;
  }
  const NodeId producer = model.value(value).producer;
  if (producer == NodeId::none || out.open) {
    out.open = true;
    return;
  }
  const Node& node = model.node(producer);
  if (node.op == "Constant" && node.domain.empty()) return;
  if (!seen.insert(producer).second) return;
  if (seen.size() > limit || structure.role(producer) == NodeRole::control || is_random(node) ||
      !structure.op(producer)) {
    out.open = true;
    return;
  }
  if (node.op == "Shape" || node.op == "Size") {
    // A shape is a number once all its extents are.
    const ValueType none;
    const bool has = !node.inputs.empty() && node.inputs[0] != ValueId::none;
    const auto& type = has ? table.types().of(node.inputs[0]) : none;
    if (!type.ranked())
      out.open = true;
    else
      for (const Dim& dim : *type.dims) {
        if (dim.known()) continue;
        if (dim.kind == Dim::Kind::symbol) out.symbols.insert(dim.symbol);
        for (std::uint32_t i = 0; i < 63; ++i)
          if (dim.depends & (std::uint64_t{1} << i)) out.symbols.insert(i);
        if (dim.kind == Dim::Kind::unknown && dim.depends == 0) out.open = true;
      }
  } else {
    for (const ValueId in : node.inputs)
      if (in != ValueId::none) walk(table, in, seen, out);
  }
  out.nodes.push_back(producer);
}

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const Value& value = table.model().value(id);
  auto* fact = table.make<aegis_foldable>();
  fact->foldable = AEGIS_NO;
  fact->bytes = value_bytes(table, id);
  if (table.model().constant(id)) return nullptr;  // nothing is left to fold
  Origins origins;
  std::set<NodeId> seen;
  if (value.producer != NodeId::none)
    walk(table, id, seen, origins);
  else
    origins.open = true;
  if (origins.open) return fact;
  const bool propagated = table.types().has_known.size() > index(id) && table.types().has_known[index(id)];
  fact->foldable = origins.symbols.empty() || propagated ? AEGIS_YES : AEGIS_UNKNOWN;
  fact->nodes = table.nodes(origins.nodes);
  fact->reads_weights = origins.reads_weights ? 1u : 0u;
  std::vector<aegis_str> symbols;
  for (const std::uint32_t symbol : origins.symbols)
    if (symbol < table.types().symbols.size()) symbols.push_back(table.text(table.types().symbols[symbol].name));
  fact->symbols = table.list<aegis_str>(symbols);
  return fact;
}

}  // namespace

AEGIS_FACT(foldable) = {.id = AEGIS_FACT_FOLDABLE, .of_value = of_value};
