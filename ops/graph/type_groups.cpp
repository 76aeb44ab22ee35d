#include "ops/graph/type_groups.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "ops/graph/schemas.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

// A recast raises the opset as far as released runtimes read; types are judged by the schemas of that opset.
constexpr std::int64_t recast_opset = 27;

constexpr std::uint64_t bit(DType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }

struct Builder {
  FactTable& table;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();
  const Schemas& schemas = table.analysis<Schemas>();
  std::vector<std::size_t> parent = {};
  std::vector<std::uint64_t> allowed = {};  // by value, before it is put together by group

  std::size_t find(std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  bool floating(ValueId value) const {
    if (value == ValueId::none || !model.value(value).alive) return false;
    const auto& type = table.types().of(value);
    return type.tensor() && (type.dtype == DType::f32 || is_narrow_float(type.dtype) || type.dtype == DType::f64);
  }

  // Unites the slots of each type variable of a node and narrows what their values may be.
  void bind(const Node& node) {
    const std::int64_t now = model.opset(node.domain);
    const auto& raised = schemas.types(node, node.domain.empty() ? std::max(now, recast_opset) : now);
    const auto& schema = raised ? raised : schemas.types(node, now);
    std::map<int, ValueId> first;
    const auto slot = [&](ValueId value, const SlotTypes* types) {
      if (!floating(value)) return;
      if (!types) {  // nothing is known of the operator: its values keep their types
        allowed[index(value)] &= bit(table.types().of(value).dtype);
        return;
      }
      allowed[index(value)] &= types->allowed;
      if (types->variable < 0 || types->variadic_free) return;
      const auto [it, fresh] = first.try_emplace(types->variable, value);
      if (!fresh) parent[find(index(value))] = find(index(it->second));
    };
    const auto all = [&](const std::vector<ValueId>& values, const std::vector<SlotTypes>* types) {
      for (std::size_t i = 0; i < values.size(); ++i)
        slot(values[i], types && i < types->size() ? &(*types)[i] : nullptr);
    };
    if (node.function != ScopeId::none || !node.bodies.empty()) return;
    all(node.inputs, schema ? &schema->inputs : nullptr);
    all(node.outputs, schema ? &schema->outputs : nullptr);
  }
};

bool narrow_cast(const FactTable& table, const Node& node) {
  return node.op == "Cast" && node.domain.empty() && !node.inputs.empty() && node.inputs[0] != ValueId::none &&
         is_narrow_float(table.types().of(node.inputs[0]).dtype);
}

// FLOAT between Casts from and to a narrow type: the author wanted it wide.
bool is_island(const FactTable& table, const Structure& structure, const TypeGroup& group, const std::vector<int>& of,
               int id) {
  if (group.now != DType::f32 || (group.flags & AEGIS_TYPE_GROUP_IO)) return false;
  bool entered = false;
  for (const aegis_value member : group.values) {
    const ValueId value = id_of(member);
    if (structure.constant(value)) continue;
    const NodeId producer = table.model().value(value).producer;
    if (producer == NodeId::none) return false;
    const Node& node = table.model().node(producer);
    if (narrow_cast(table, node)) {
      entered = true;
      continue;
    }
    const bool inside = std::any_of(node.inputs.begin(), node.inputs.end(),
                                    [&](ValueId in) { return in != ValueId::none && of[index(in)] == id; });
    if (!inside) return false;
  }
  return entered;
}

}  // namespace

TypeGroups::TypeGroups(FactTable& table) {
  Builder builder{table};
  const Model& model = builder.model;
  const auto values = model.values();
  builder.parent.resize(values.size());
  std::iota(builder.parent.begin(), builder.parent.end(), std::size_t{0});
  builder.allowed.assign(values.size(), ~std::uint64_t{0});
  for (const NodeId id : builder.structure.order()) builder.bind(model.node(id));

  of_.assign(values.size(), -1);
  std::map<std::size_t, int> by_root;
  for (const Value& value : values) {
    if (!builder.floating(value.id)) continue;
    const auto [it, fresh] = by_root.try_emplace(builder.find(index(value.id)), static_cast<int>(groups_.size()));
    if (fresh) groups_.push_back({.now = table.types().of(value.id).dtype, .values = {}, .nodes = {}, .cause = {}});
    TypeGroup& group = groups_[static_cast<std::size_t>(it->second)];
    of_[index(value.id)] = it->second;
    group.values.push_back(handle(value.id));
    group.allowed &= builder.allowed[index(value.id)];
    if (value.scope == ScopeId::main && (value.input || value.output)) group.flags |= AEGIS_TYPE_GROUP_IO;
    if (builder.structure.host(value.id)) group.flags |= AEGIS_TYPE_GROUP_SHAPE;
  }
  std::vector<bool> only_moves(groups_.size(), true);
  for (const NodeId id : builder.structure.order()) {
    const Node& node = model.node(id);
    const Op* op = builder.structure.op(id);
    std::vector<int> touched;
    for (const auto* list : {&node.inputs, &node.outputs})
      for (const ValueId value : *list)
        if (value != ValueId::none && of_[index(value)] >= 0) touched.push_back(of_[index(value)]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const int group : touched) {
      groups_[static_cast<std::size_t>(group)].nodes.push_back(handle(id));
      if (!op || op->risk != Risk::move) only_moves[static_cast<std::size_t>(group)] = false;
    }
  }
  const Compute planned = table.view().planned;
  const bool recast = planned == AEGIS_DTYPE_FLOAT16 || planned == AEGIS_DTYPE_BFLOAT16;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    TypeGroup& group = groups_[i];
    if (only_moves[i]) group.flags |= AEGIS_TYPE_GROUP_MOVE;
    if (is_island(table, builder.structure, group, of_, static_cast<int>(i))) group.flags |= AEGIS_TYPE_GROUP_ISLAND;
    group.planned = group.now;
    if (!recast || (group.now != DType::f32 && !is_narrow_float(group.now))) continue;
    // Shape arithmetic has no reason of its own to stay wide: a rule says so, and pins it.
    if (group.flags & AEGIS_TYPE_GROUP_ISLAND)
      group.cause = "wide by the author's Casts";
    else if (!(group.allowed & bit(static_cast<DType>(planned))))
      group.cause = "schema: an operator does not take the type";
    else
      group.planned = static_cast<DType>(planned);
  }
}

}  // namespace aegis
