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
  std::set<std::uint32_t> symbols;  // that shapes in it wait for
};

constexpr std::size_t limit = 512;

bool is_shape(const Node& node) { return node.op == "Shape" || node.op == "Size"; }

const ValueType& input_type(FactTable& table, const Node& node) {
  static const ValueType none;
  const bool has = !node.inputs.empty() && node.inputs[0] != ValueId::none;
  return has ? table.types().of(node.inputs[0]) : none;
}

// Which values are computed from constants and shapes alone, whatever the number of nodes: one pass over the nodes in
// their order, so that the walk back is left to the few values that it leads somewhere for.
struct Closed {
  std::vector<bool> values;

  explicit Closed(FactTable& table) : values(table.model().values().size()) {
    const Model& model = table.model();
    const auto& structure = table.analysis<Structure>();
    for (const Value& value : model.values())
      values[index(value.id)] = value.alive && value.initializer && model.constant(value.id) != nullptr;
    for (const NodeId id : structure.order()) {
      const Node& node = model.node(id);
      if (!is_closed(table, structure, node)) continue;
      for (const ValueId out : node.outputs)
        if (out != ValueId::none && model.value(out).producer == id) values[index(out)] = true;
    }
  }

 private:
  bool is_closed(FactTable& table, const Structure& structure, const Node& node) const {
    if (node.op == "Constant" && node.domain.empty()) return true;
    if (structure.role(node.id) == NodeRole::control || is_random(node) || !structure.op(node.id)) return false;
    if (!is_shape(node))
      return std::ranges::all_of(node.inputs, [&](ValueId in) { return in == ValueId::none || values[index(in)]; });
    // A shape is a number once all its extents are.
    const ValueType& type = input_type(table, node);
    return type.ranked() && std::ranges::none_of(*type.dims, [](const Dim& dim) {
             return dim.kind == Dim::Kind::unknown && dim.depends == 0;
           });
  }
};

// Of a closed value. False when it comes from more nodes than anybody folds.
bool walk(FactTable& table, ValueId value, std::set<NodeId>& seen, Origins& out) {
  const Model& model = table.model();
  if (const TensorSource* source = model.constant(value); source && model.value(value).initializer) {
    out.reads_weights = out.reads_weights || source->raw_size() > 1024;
    return true;
  }
  const NodeId producer = model.value(value).producer;
  const Node& node = model.node(producer);
  if ((node.op == "Constant" && node.domain.empty()) || !seen.insert(producer).second) return true;
  if (seen.size() > limit) return false;
  if (is_shape(node)) {
    for (const Dim& dim : *input_type(table, node).dims) {
      if (dim.known()) continue;
      if (dim.kind == Dim::Kind::symbol) out.symbols.insert(dim.symbol);
      for (std::uint32_t i = 0; i < 63; ++i)
        if (dim.depends & (std::uint64_t{1} << i)) out.symbols.insert(i);
    }
  } else {
    for (const ValueId in : node.inputs)
      if (in != ValueId::none && !walk(table, in, seen, out)) return false;
  }
  out.nodes.push_back(producer);
  return true;
}

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  auto* fact = table.make<aegis_foldable>();
  fact->foldable = AEGIS_NO;
  fact->bytes = value_bytes(table, id);
  if (table.model().constant(id)) return nullptr;  // nothing is left to fold
  Origins origins;
  std::set<NodeId> seen;
  if (!table.analysis<Closed>().values[index(id)] || !walk(table, id, seen, origins)) return fact;
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
