#include "rewriter/recast/materialise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/attribute.hpp"
#include "rewriter/recast/cast_recipe.hpp"
#include "rewriter/recast/edges.hpp"
#include "rewriter/recast/facts.hpp"

namespace aegis::recast {
namespace {

// A value by the name it will have; `value` when it is one of the model's own under its own name.
struct Place {
  std::string name;
  ValueId value = ValueId::none;
};

class Writer {
 public:
  Writer(const Model& model, const TypeTable& types, const Choice& choice, DType to)
      : model_(model),
        types_(types),
        choice_(choice),
        groups_(choice.groups),
        to_(to),
        names_(model),
        edges_(collect_edges(model, types, choice.groups, to)) {
    for (std::size_t i = 0; i < edges_.size(); ++i) edge_of_.emplace(edges_[i].value, i);
    next_.assign(model.nodes().size(), NodeId::none);
    for (const Scope& scope : model.scopes()) {
      for (std::size_t i = 1; i < scope.nodes.size(); ++i) next_[index(scope.nodes[i - 1])] = scope.nodes[i];
    }
  }

  Materialised write() {
    out_.patch.pass = "recast_float";
    out_.patch.safety = Safety::lossy;
    for (const Edge& edge : edges_) edge.constant ? place_constant(edge) : place_own(edge);
    for (const Edge& edge : edges_) place_casts(edge);
    for (const Edge& edge : edges_) connect(edge);
    reroute_narrow_casts();
    retype_nodes();
    retype_bodies();
    count_readers();
    drop_dangling();
    out_.patch.label = fmt::format("{} nodes in {}", retyped_, name(to_));
    finish();
    return std::move(out_);
  }

 private:
  bool narrow_at(int group) const { return choice_.narrow_at(group); }
  bool made_narrow(const Edge& edge) const { return !edge.constant && narrow_at(edge.source); }
  std::string suffix(DType type) const { return type == DType::f32 ? "f32" : type == DType::bf16 ? "bf16" : "f16"; }
  template <class T>
  void edit(T change) {
    out_.patch.edits.emplace_back(std::move(change));
  }
  void origin(const std::string& made, ValueId from) {
    out_.patch.origins.emplace_back(made, Origin{.kind = Origin::Kind::cast, .from = from});
  }

  static bool reads_as(const Reader& reader) { return reader.group != any; }

  // --- where the values of an edge will be found

  // Narrow readers of a constant share one copy. When nobody reads it wide, the copy takes over its name.
  void place_constant(const Edge& edge) {
    const Value& value = model_.value(edge.value);
    own_[edge.value] = {std::string(value.name), edge.value};
    const auto wants = [&](const Reader& reader) { return reads_as(reader) && narrow_at(reader.group); };
    const auto wanted = std::ranges::count_if(edge.readers, wants);
    if (wanted == 0) return;
    const TensorSource copy = cast_source(*stored(model_, edge.value, to_), to_);
    const bool own = model_.constant(edge.value) != nullptr;  // else a Cast makes it from another constant
    const bool alone = own && wanted == static_cast<std::ptrdiff_t>(edge.readers.size());
    if (alone && value.initializer) {
      edit(edit::SetTensor{edge.value, copy});
      copies_[edge.value] = own_[edge.value];
      return;
    }
    const std::string made =
        alone ? std::string(value.name) : names_.make(fmt::format("{}/{}", value.name, suffix(to_)));
    if (alone) replaced_.insert(value.producer);
    edit(edit::AddTensor{value.scope, made, copy});
    if (alone) forget_type(value);
    origin(made, edge.value);
    copies_[edge.value] = {made, alone ? edge.value : ValueId::none};
  }

  // A value keeps its name in the type its maker gives it, unless an output of the scope needs the name for the other.
  void place_own(const Edge& edge) {
    const Value& value = model_.value(edge.value);
    const bool conflict = std::ranges::any_of(edge.readers, [&](const Reader& reader) {
      return reader.use.node == NodeId::none && narrow_at(reader.group) != made_narrow(edge);
    });
    if (!conflict || value.producer == NodeId::none) {
      own_[edge.value] = {std::string(value.name), edge.value};
      return;
    }
    const DType type = made_narrow(edge) ? to_ : DType::f32;
    const std::string renamed = names_.make(fmt::format("{}/{}", value.name, suffix(type)));
    const Node& node = model_.node(value.producer);
    const auto slot = std::ranges::find(node.outputs, edge.value) - node.outputs.begin();
    edit(edit::SetOutput{node.id, static_cast<std::uint32_t>(slot), renamed});
    own_[edge.value] = {renamed, ValueId::none};
    if (type != DType::f32) origin(renamed, edge.value);
    const Place to{std::string(value.name), edge.value};
    insert_cast(edge, value.scope, to);
  }

  void place_casts(const Edge& edge) {
    if (edge.constant) return;
    std::map<ScopeId, bool> scopes;  // in the order of their ids: outer scopes first
    for (const Reader& reader : edge.readers) {
      if (reads_as(reader) && narrow_at(reader.group) != made_narrow(edge)) scopes[reader.use.scope] = true;
    }
    if (!made_narrow(edge) && edge.narrow_twin != ValueId::none) return;
    for (const auto& [scope, needed] : scopes) {
      if (cast_in(edge.value, scope) != nullptr) continue;
      if (const NodeId own = made_narrow(edge) ? NodeId::none : author_cast(edge, scope); own != NodeId::none) {
        const ValueId output = model_.node(own).outputs[0];
        casts_[{edge.value, scope}] = {std::string(model_.value(output).name), output};
        continue;
      }
      const DType type = made_narrow(edge) ? DType::f32 : to_;
      const std::string made = names_.make(fmt::format("{}/{}", model_.value(edge.value).name, suffix(type)));
      origin(made, edge.value);
      insert_cast(edge, scope, {made, ValueId::none});
    }
  }

  // A Cast that the source has already in this scope.
  NodeId author_cast(const Edge& edge, ScopeId scope) const {
    for (const Reader& reader : edge.readers) {
      if (reader.group == narrow && reader.use.scope == scope) return reader.use.node;
    }
    return NodeId::none;
  }

  void insert_cast(const Edge& edge, ScopeId scope, Place result) {
    const Value& value = model_.value(edge.value);
    const DType type = made_narrow(edge) ? DType::f32 : to_;
    const Place& from = own_.at(edge.value);
    edit::InsertNode node{.scope = scope, .op = "Cast"};
    node.name = names_.make(fmt::format("{}/to_{}", value.name, suffix(type)));
    node.inputs = {from.name};
    node.outputs = {result.name};
    node.attributes = {{"to", static_cast<std::int64_t>(type)}};
    const std::vector<NodeId>& nodes = model_.scope(scope).nodes;
    const bool made_here = value.producer != NodeId::none && value.scope == scope;
    node.before = made_here ? next_[index(value.producer)] : nodes.empty() ? NodeId::none : nodes.front();
    casts_[{edge.value, scope}] = std::move(result);
    ++added_reads_[from.value];
    ++out_.casts_added;
    edit(std::move(node));
  }

  // The Cast of a value that a scope can see; null: none.
  const Place* cast_in(ValueId value, ScopeId scope) const {
    for (; scope != ScopeId::none; scope = model_.scope(scope).parent) {
      const auto found = casts_.find({value, scope});
      if (found != casts_.end()) return &found->second;
      if (scope == model_.value(value).scope) break;
    }
    return nullptr;
  }

  Place narrow_of(const Edge& edge, ScopeId scope) const {
    if (edge.constant) return copies_.at(edge.value);
    if (made_narrow(edge)) return own_.at(edge.value);
    if (edge.narrow_twin != ValueId::none) return narrow_value(edge.narrow_twin);
    return *cast_in(edge.value, scope);
  }

  // A value of the narrow type that the source has: itself, or what a Cast that is no longer needed would have made.
  Place narrow_value(ValueId id) const {
    const Value& value = model_.value(id);
    if (value.producer != NodeId::none) {
      const Node& cast = model_.node(value.producer);
      if (cast_target(cast) == to_ && groups_.input(cast.id, 0) == narrow) {
        return narrow_of(edge_behind(cast.inputs[0]), value.scope);
      }
    }
    return {std::string(value.name), id};
  }

  const Edge& edge_behind(ValueId value) const {
    return edges_[edge_of_.at(behind_copies(model_, types_, groups_, value))];
  }

  // --- who reads what

  void read(const Use& use, const Place& place) {
    if (use.node == NodeId::none) return;  // outputs keep their names
    const ValueId current = model_.node(use.node).inputs[use.slot];
    reads_[{use.node, use.slot}] = place.value;
    if (current != place.value || place.name != model_.value(current).name) {
      edit(edit::SetInput{use.node, use.slot, place.name});
      lost_.insert(current);
    }
  }

  void connect(const Edge& edge) {
    for (const Reader& reader : edge.readers) {
      if (!reads_as(reader) || narrow_at(reader.group) == made_narrow(edge)) {
        if (edge.constant && reads_as(reader) && narrow_at(reader.group)) {
          read(reader.use, copies_.at(edge.value));
        } else {
          read(reader.use, own_.at(edge.value));
        }
      } else if (reader.group == narrow) {
        read(reader.use, own_.at(edge.value));  // the source's own Cast down
      } else if (narrow_at(reader.group)) {
        read(reader.use, narrow_of(edge, reader.use.scope));
      } else {
        read(reader.use, *cast_in(edge.value, reader.use.scope));
      }
    }
  }

  // Readers of the source's own Casts to the narrow type read the value that is narrow already, or one shared Cast.
  void reroute_narrow_casts() {
    for (const Edge& edge : edges_) {
      for (const Reader& reader : edge.readers) {
        if (reader.group != narrow || reader.use.node == NodeId::none) continue;
        const Value& result = model_.value(model_.node(reader.use.node).outputs[0]);
        const Place place = narrow_of(edge, reader.use.scope);
        if (place.value == result.id || result.output) continue;
        for (const Use& use : result.uses) read(use, place);
      }
    }
  }

  // --- types that nodes, bodies and declarations state

  void retype_nodes() {
    for (const Node& node : model_.nodes()) {
      if (!node.alive || in_function(model_, node.scope) || replaced_.contains(node.id)) continue;
      const int main = groups_.main_group(node.id);
      if (main >= 0 && narrow_at(main) && node.op != "Cast" && node.op != "Constant") ++retyped_;
      for (const ValueId output : node.outputs) {
        if (output != ValueId::none && retyped(output)) forget_type(model_.value(output));
      }
      retype(node);
    }
  }

  bool retyped(ValueId value) const {
    const auto edge = edge_of_.find(value);
    return edge != edge_of_.end() && made_narrow(edges_[edge->second]) && own_.at(value).value != ValueId::none;
  }

  void forget_type(const Value& value) {
    if (value.declared == nullptr || value.input || value.output) return;
    edit(edit::DropValueInfo{value.scope, std::string(value.name)});
  }

  void retype(const Node& node) {
    if (node.outputs.empty() || node.outputs[0] == ValueId::none || !node.domain.empty()) return;
    const bool low = is_wide(types_, node.outputs[0]) && narrow_at(groups_.output(node.id, 0));
    if (node.op == "Cast") {
      const auto edge = edge_of_.find(node.outputs[0]);
      if (low && edge != edge_of_.end() && !edges_[edge->second].constant) set_type(node, "to", to_);
    } else if (node.op == "ConstantOfShape") {
      if (!low) return;
      const auto value = attribute_tensor(node, "value");
      const auto number = value ? to_doubles(*value) : Result<std::vector<double>>(std::vector<double>{0.0});
      const std::vector<std::int64_t> one{1};
      if (number) edit(edit::SetAttribute{node.id, {"value", from_doubles(to_, one, *number)}});
    } else if (const TypeAttribute kind = type_attribute(node); !kind.name.empty()) {
      const auto written = attribute(node, kind.name, std::int64_t{0});
      DType now = static_cast<DType>(written);
      if (written == 0) now = kind.like_input && !node.inputs.empty() ? input_type(node) : DType::f32;
      const DType wanted = !is_wide(types_, node.outputs[0]) ? types_.of(node.outputs[0]).dtype
                           : low                             ? to_
                                                             : DType::f32;
      if (now != wanted) set_type(node, kind.name, wanted);
    }
  }

  // What input 0 has after the rewrite.
  DType input_type(const Node& node) const {
    if (!is_wide(types_, node.inputs[0])) return types_.of(node.inputs[0]).dtype;
    return narrow_at(groups_.input(node.id, 0)) ? to_ : DType::f32;
  }

  void set_type(const Node& node, std::string_view attribute_name, DType type) {
    edit(edit::SetAttribute{node.id, {std::string(attribute_name), static_cast<std::int64_t>(type)}});
  }

  void retype_bodies() {
    for (const Scope& scope : model_.scopes()) {
      if (scope.kind != ScopeKind::subgraph || in_function(model_, scope.id)) continue;
      for (const ValueId input : scope.inputs) {
        if (input != ValueId::none && is_wide(types_, input) && narrow_at(groups_.source(input))) declare(scope, input);
      }
      for (std::size_t i = 0; i < scope.outputs.size(); ++i) {
        const ValueId output = scope.outputs[i];
        if (output != ValueId::none && is_wide(types_, output) && narrow_at(groups_.scope_output(scope.id, i))) {
          declare(scope, output);
        }
      }
    }
  }

  void declare(const Scope& scope, ValueId value) {
    if (model_.value(value).declared == nullptr || model_.value(value).scope != scope.id) return;
    if (!declared_.insert(value).second) return;
    edit(edit::SetValueInfo{scope.id, std::string(model_.value(value).name), to_, std::nullopt});
  }

  // --- what nobody reads any more

  void count_readers() {
    left_.assign(model_.values().size(), 0);
    for (const Node& node : model_.nodes()) {
      if (!node.alive) continue;
      for (std::uint32_t slot = 0; slot < node.inputs.size(); ++slot) count(final_input(node.id, slot), 1);
    }
    for (const Scope& scope : model_.scopes()) {
      for (const ValueId output : scope.outputs) count(output, 1);
    }
    for (const auto& [value, times] : added_reads_) count(value, times);
  }

  ValueId final_input(NodeId node, std::uint32_t slot) const {
    const auto found = reads_.find({node, slot});
    return found != reads_.end() ? found->second : model_.node(node).inputs[slot];
  }

  void count(ValueId value, int times) {
    if (value != ValueId::none) left_[index(value)] += times;
  }

  void drop_dangling() {
    for (const NodeId node : replaced_) drops_.push_back(node);
    std::vector<ValueId> idle(lost_.begin(), lost_.end());
    while (!idle.empty()) {
      const ValueId id = idle.back();
      idle.pop_back();
      const Value& value = model_.value(id);
      if (left_[index(id)] > 0 || value.output) continue;
      if (value.initializer) {
        if (model_.constant(id) != nullptr) edit(edit::DropTensor{id});
        continue;
      }
      if (value.producer == NodeId::none || replaced_.contains(value.producer)) continue;
      const Node& node = model_.node(value.producer);
      if (node.op != "Cast" && node.op != "Constant") continue;
      if (!dropped_.insert(node.id).second) continue;
      drops_.push_back(node.id);
      if (node.op == "Cast") ++out_.casts_dropped;
      for (std::uint32_t slot = 0; slot < node.inputs.size(); ++slot) {
        const ValueId input = final_input(node.id, slot);
        if (input == ValueId::none) continue;
        count(input, -1);
        idle.push_back(input);
      }
    }
  }

  // Edits of a node that goes are dropped with it; nodes go last, so that others can be placed before them.
  void finish() {
    std::set<NodeId> gone(drops_.begin(), drops_.end());
    std::erase_if(out_.patch.edits, [&](const Edit& change) {
      if (const auto* input = std::get_if<edit::SetInput>(&change)) return gone.contains(input->node);
      if (const auto* type = std::get_if<edit::SetAttribute>(&change)) return gone.contains(type->node);
      return false;
    });
    for (const NodeId node : drops_) {
      for (const ValueId output : model_.node(node).outputs) {
        if (output != ValueId::none && !replaced_.contains(node)) forget_type(model_.value(output));
      }
      edit(edit::DropNode{node});
    }
  }

  const Model& model_;
  const TypeTable& types_;
  const Choice& choice_;
  const TypeGroups& groups_;
  DType to_;
  FreshNames names_;
  std::vector<Edge> edges_;
  std::map<ValueId, std::size_t> edge_of_;
  std::vector<NodeId> next_;  // the node that stands after a node

  Materialised out_;
  std::map<ValueId, Place> own_, copies_;
  std::map<std::pair<ValueId, ScopeId>, Place> casts_;
  std::map<std::pair<NodeId, std::uint32_t>, ValueId> reads_;
  std::map<ValueId, int> added_reads_;
  std::set<ValueId> lost_, declared_;
  std::set<NodeId> replaced_, dropped_;  // Constant nodes that became initializers; nodes without readers
  std::vector<NodeId> drops_;
  std::vector<int> left_;
  std::uint64_t retyped_ = 0;
};

}  // namespace

Materialised materialise(const Model& model, const TypeTable& types, const Choice& choice, DType to) {
  return Writer(model, types, choice, to).write();
}

}  // namespace aegis::recast
