#include "rewriter/recast/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "linter/match.hpp"
#include "model/attribute.hpp"
#include "rewriter/recast/cost.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/islands.hpp"
#include "rewriter/recast/runtime.hpp"

namespace aegis::recast {
namespace {

constexpr std::uint64_t bit(DType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }

class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

bool is_wide(const TypeTable& types, ValueId value) {
  return value != ValueId::none && types.of(value).tensor() && types.of(value).dtype == DType::f32;
}

bool in_function(const Model& model, ScopeId scope) {
  for (; scope != ScopeId::none; scope = model.scope(scope).parent) {
    if (model.scope(scope).kind == ScopeKind::function) return true;
  }
  return false;
}

DType cast_target(const Node& node) {
  if (node.op != "Cast" || !node.domain.empty()) return DType::undefined;
  return static_cast<DType>(attribute(node, "to", std::int64_t{0}));
}

// Walks the nodes once to join slots and once to write down who stands in the way of which group.
class GroupBuilder {
 public:
  GroupBuilder(TypeGroups& out, const Question& question)
      : out_(out),
        model_(*question.model),
        types_(*question.types),
        options_(*question.options),
        runtime_(find_runtime(question.runtime)),
        to_(options_.to),
        opset_(model_.opset()),
        slots_(count_slots()) {}

  void build() {
    float_.assign(total_, 0);
    for (const Node& node : model_.nodes()) {
      if (node.alive && !in_function(model_, node.scope)) mark(node);
    }
    for (const Node& node : model_.nodes()) {
      if (node.alive && !in_function(model_, node.scope)) join(node);
    }
    join_borrowed_outputs();
    number();
    out_.main_.assign(model_.nodes().size(), none);
    for (const auto& [node, cause] : pinned()) block_node(model_.node(node), cause);
    for (const auto& [value, cause] : options_.value_pins)
      block(out_.source_[index(value)], model_.value(value).producer, cause);
    for (const NodeId node : islands(model_, types_)) block_node(model_.node(node), "an island of the source");
    std::map<NodeId, std::string> failed;
    for (const InferenceFailure& failure : types_.failures) failed.emplace(failure.node, failure.message);
    for (const Node& node : model_.nodes()) {
      if (!node.alive || in_function(model_, node.scope)) continue;
      if (failed.contains(node.id)) block_node(node, "type inference refuses the node");
      constrain(node);
      const int main = main_group(node);
      out_.main_[index(node.id)] = main;
      if (main >= 0) out_.groups_[static_cast<std::size_t>(main)].flops += flops(types_, node);
    }
  }

 private:
  std::size_t count_slots() {
    out_.node_base_.reserve(model_.nodes().size());
    for (const Node& node : model_.nodes()) {
      out_.node_base_.push_back(total_);
      total_ += node.inputs.size() + node.outputs.size();
    }
    for (const Scope& scope : model_.scopes()) {
      out_.scope_base_.push_back(total_);
      total_ += scope.inputs.size() + scope.outputs.size();
    }
    return total_;
  }

  std::size_t in(const Node& node, std::size_t slot) const { return out_.node_base_[index(node.id)] + slot; }
  std::size_t out(const Node& node, std::size_t slot) const { return in(node, node.inputs.size() + slot); }
  std::size_t formal(const Scope& scope, std::size_t slot) const { return out_.scope_base_[index(scope.id)] + slot; }
  std::size_t result(const Scope& scope, std::size_t slot) const { return formal(scope, scope.inputs.size() + slot); }

  // Marks the FLOAT slots. A Cast takes any type, so its input is in no group unless somebody pins the Cast.
  void mark(const Node& node) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) float_[in(node, i)] = is_wide(types_, node.inputs[i]);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) float_[out(node, i)] = is_wide(types_, node.outputs[i]);
    for (const ScopeId id : node.bodies) {
      const Scope& body = model_.scope(id);
      for (std::size_t i = 0; i < body.inputs.size(); ++i) float_[formal(body, i)] = is_wide(types_, body.inputs[i]);
      for (std::size_t i = 0; i < body.outputs.size(); ++i) float_[result(body, i)] = is_wide(types_, body.outputs[i]);
    }
  }

  void unite(std::size_t a, std::size_t b) {
    if (float_[a] && float_[b]) slots_.join(a, b);
  }

  std::optional<SchemaTypes> schema(const Node& node, std::int64_t opset) const {
    if (node.function != ScopeId::none) return std::nullopt;
    return schema_types(node, node.domain.empty() ? opset : model_.opset(node.domain));
  }

  void join(const Node& node) {
    if (!node.bodies.empty()) return join_control(node);
    if (cast_target(node) != DType::undefined) return;
    std::map<int, std::size_t> first;
    const auto slot = [&](std::size_t position, const SlotTypes* types) {
      int variable = types != nullptr && !types->variadic_free ? types->variable : -1;
      if (one_type(node)) variable = 0;
      if (variable < 0 || !float_[position]) return;
      const auto [known, added] = first.emplace(variable, position);
      if (!added) slots_.join(known->second, position);
    };
    const auto found = schema(node, opset_);
    if (!found) return;
    for (std::size_t i = 0; i < node.inputs.size() && i < found->inputs.size(); ++i) {
      slot(in(node, i), &found->inputs[i]);
    }
    for (std::size_t i = 0; i < node.outputs.size() && i < found->outputs.size(); ++i) {
      slot(out(node, i), &found->outputs[i]);
    }
  }

  void join_control(const Node& node) {
    if (node.op == "If") {
      for (const ScopeId id : node.bodies) {
        const Scope& body = model_.scope(id);
        const std::size_t count = std::min(body.outputs.size(), node.outputs.size());
        for (std::size_t i = 0; i < count; ++i) unite(result(body, i), out(node, i));
      }
      return;
    }
    if (node.bodies.size() != 1) return;
    const Scope& body = model_.scope(node.bodies[0]);
    if (node.op == "Loop") {  // inputs: trip count, condition, carried; body: iteration, condition, carried
      for (std::size_t i = 2; i < node.inputs.size() && i < body.inputs.size(); ++i) {
        unite(in(node, i), formal(body, i));
        if (i - 1 < body.outputs.size()) unite(formal(body, i), result(body, i - 1));
      }
      for (std::size_t i = 0; i < node.outputs.size() && i + 1 < body.outputs.size(); ++i) {
        unite(result(body, i + 1), out(node, i));
      }
    } else if (scan(node)) {  // states first, on both sides
      const auto sequences = static_cast<std::size_t>(attribute(node, "num_scan_inputs", std::int64_t{0}));
      const std::size_t states = node.inputs.size() - std::min(sequences, node.inputs.size());
      for (std::size_t i = 0; i < node.inputs.size() && i < body.inputs.size(); ++i) {
        unite(in(node, i), formal(body, i));
        if (i < states && i < body.outputs.size()) unite(formal(body, i), result(body, i));
      }
      for (std::size_t i = 0; i < node.outputs.size() && i < body.outputs.size(); ++i) {
        unite(result(body, i), out(node, i));
      }
    }
  }

  bool scan(const Node& node) const { return node.op == "Scan" && opset_ >= 9; }

  // A body that hands out a value it did not make cannot put a Cast in between: no name is free for it. A value that a
  // body hands out twice has one type.
  void join_borrowed_outputs() {
    for (const Scope& scope : model_.scopes()) {
      if (scope.kind != ScopeKind::subgraph || in_function(model_, scope.id)) continue;
      std::map<ValueId, std::size_t> first;
      for (std::size_t i = 0; i < scope.outputs.size(); ++i) {
        if (scope.outputs[i] == ValueId::none) continue;
        unite(first.emplace(scope.outputs[i], result(scope, i)).first->second, result(scope, i));
        const Value& value = model_.value(scope.outputs[i]);
        if (value.producer != NodeId::none && value.scope == scope.id) continue;
        const std::size_t source = source_slot(value);
        if (source != total_)
          unite(source, result(scope, i));
        else
          borrowed_.push_back(result(scope, i));
      }
    }
  }

  // The slot that makes a value; total_ when it is a constant or a public input.
  std::size_t source_slot(const Value& value) const {
    if (value.producer != NodeId::none) {
      const Node& node = model_.node(value.producer);
      const auto at = std::ranges::find(node.outputs, value.id);
      return at == node.outputs.end() ? total_ : out(node, static_cast<std::size_t>(at - node.outputs.begin()));
    }
    const Scope& scope = model_.scope(value.scope);
    const auto at = std::ranges::find(scope.inputs, value.id);
    if (!value.input || scope.kind != ScopeKind::subgraph || at == scope.inputs.end()) return total_;
    return formal(scope, static_cast<std::size_t>(at - scope.inputs.begin()));
  }

  // Gives every FLOAT slot the number of its group.
  void number() {
    out_.slots_.assign(total_, none);
    std::vector<int> numbers(total_, none);
    for (std::size_t slot = 0; slot < total_; ++slot) {
      if (!float_[slot]) continue;
      int& group = numbers[slots_.find(slot)];
      if (group == none) {
        group = static_cast<int>(out_.groups_.size());
        out_.groups_.emplace_back();
      }
      out_.slots_[slot] = group;
    }
    for (const Node& node : model_.nodes()) {
      if (!node.alive) continue;
      if (in_function(model_, node.scope)) continue;
      const DType target = cast_target(node);
      if (target == DType::undefined || out_.slots_[in(node, 0)] == none) continue;
      out_.slots_[in(node, 0)] = target == to_ ? narrow : any;
    }
    block_shadows();
    for (const std::size_t slot : borrowed_) {
      if (out_.slots_[slot] >= 0) block(out_.slots_[slot], NodeId::none, "a body hands out a value from outside");
    }
    out_.source_.assign(model_.values().size(), wide);
    for (const Value& value : model_.values()) {
      if (!value.alive || in_function(model_, value.scope)) continue;
      const std::size_t slot = source_slot(value);
      if (slot != total_) out_.source_[index(value.id)] = out_.slots_[slot];
    }
  }

  // ONNX's inference takes a body's value for the outer value of the same name; files that break the rule against this
  // exist.
  void block_shadows() {
    for (const Value& value : model_.values()) {
      if (!value.alive || !is_wide(types_, value.id) || in_function(model_, value.scope)) continue;
      const ScopeId parent = model_.scope(value.scope).parent;
      if (parent == ScopeId::none || model_.find(value.name, parent) == ValueId::none) continue;
      const std::size_t slot = source_slot(value);
      if (slot != total_) block(out_.slots_[slot], value.producer, "its name is also used outside the body");
    }
  }

  std::vector<std::pair<NodeId, std::string>> pinned() const {
    std::vector<std::pair<NodeId, std::string>> all = options_.pins;
    for (const Node& node : model_.nodes()) {
      if (!node.alive || in_function(model_, node.scope)) continue;
      const std::string place = label(model_, node.id);
      for (const std::string& pattern : options_.keep) {
        if (glob_match(pattern, place)) all.emplace_back(node.id, "kept by the user");
      }
    }
    return all;
  }

  void block(int group, NodeId node, std::string cause, std::int64_t floor = 0) {
    if (group >= 0) out_.groups_[static_cast<std::size_t>(group)].blocks.push_back({node, std::move(cause), floor});
  }

  void block_node(const Node& node, const std::string& cause, std::int64_t floor = 0) {
    if (!node.alive || in_function(model_, node.scope)) return;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      int& group = out_.slots_[in(node, i)];
      if (group == any || group == narrow) group = wide;
      block(group, node.id, cause, floor);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) block(out_.slots_[out(node, i)], node.id, cause, floor);
  }

  // Of the first float output, else of the first float input; `none` when that one is narrow already.
  int main_group(const Node& node) const {
    if (!node.bodies.empty()) return none;
    const auto decides = [&](ValueId value) {
      return value != ValueId::none && types_.of(value).tensor() && is_float(types_.of(value).dtype);
    };
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (decides(node.outputs[i])) return out_.slots_[out(node, i)];
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (decides(node.inputs[i])) return out_.slots_[in(node, i)];
    }
    return none;
  }

  // Why this node's slots cannot be narrow: no schema, unknown or non-tensor data, the schema, a table, the runtime.
  void constrain(const Node& node) {
    const DType target = cast_target(node);
    if (target == DType::f32) return constrain_cast(node);
    if (target != DType::undefined) return;
    if (std::string cause = foreign(node); !cause.empty()) {
      block_node(node, cause, withdrawn_until(node));
      for (const ScopeId id : node.bodies) block_body(model_.scope(id), node.id, cause);
      return;
    }
    const auto found = schema(node, opset_);
    bool touched = false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (out_.slots_[in(node, i)] < 0) continue;
      touched = true;
      constrain_slot(node, out_.slots_[in(node, i)], i < found->inputs.size() ? &found->inputs[i] : nullptr, i, true);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (out_.slots_[out(node, i)] < 0) continue;
      touched = true;
      constrain_slot(node, out_.slots_[out(node, i)], i < found->outputs.size() ? &found->outputs[i] : nullptr, i,
                     false);
    }
    if (touched && !runtime_has(node)) {
      block_node(node, fmt::format("runtime: {} has no {} in {}", runtime_->name, node.op, name(to_)));
    }
  }

  // A FLOAT to FLOAT Cast whose output is public keeps it FLOAT; others follow what they read.
  void constrain_cast(const Node& node) {
    if (opset_ < 13 && to_ == DType::bf16) {
      block(out_.slots_[out(node, 0)], node.id, "schema: Cast makes bfloat16 from opset 13", 13);
    }
    const bool from_narrow = node.inputs[0] != ValueId::none && types_.of(node.inputs[0]).dtype == to_;
    const bool public_copy = is_wide(types_, node.inputs[0]) && model_.value(node.outputs[0]).output;
    if (from_narrow || public_copy) block(out_.slots_[out(node, 0)], node.id, "a Cast of the source");
  }

  // A version of an operator that was withdrawn (GroupNormalization 18) and came back: the opset where it did.
  std::int64_t withdrawn_until(const Node& node) {
    const bool withdrawn = node.function == ScopeId::none && node.bodies.empty() && since_version(node, opset_) > 0 &&
                           !schema(node, opset_) && !node.outputs.empty();
    return withdrawn ? floor_of(node, 0, false) : 0;
  }

  std::string foreign(const Node& node) const {
    if (node.function != ScopeId::none) return fmt::format("calls the model's own function {}", node.op);
    if (!schema(node, opset_)) return fmt::format("unknown op: {} has no schema at this opset", node.op);
    if (!node.bodies.empty()) {
      if (node.op == "If" || node.op == "Loop" || scan(node)) return "";
      return fmt::format("the body of {} stays as it is", node.op);
    }
    for (const auto* side : {&node.inputs, &node.outputs}) {
      for (const ValueId value : *side) {
        if (value == ValueId::none) continue;
        const ValueType& type = types_.of(value);
        if (type.kind == ValueType::Kind::unknown) return "an input or output of unknown type";
        if (!type.tensor()) return fmt::format("schema: {} handles sequences or optionals", node.op);
      }
    }
    return "";
  }

  void block_body(const Scope& body, NodeId owner, const std::string& cause) {
    for (std::size_t i = 0; i < body.inputs.size(); ++i) block(out_.slots_[formal(body, i)], owner, cause);
    for (std::size_t i = 0; i < body.outputs.size(); ++i) block(out_.slots_[result(body, i)], owner, cause);
  }

  void constrain_slot(const Node& node, int group, const SlotTypes* types, std::size_t slot, bool input) {
    if (types == nullptr || (types->allowed & bit(to_)) == 0) {
      const std::int64_t floor = floor_of(node, slot, input);
      block(group, node.id,
            floor > 0 ? fmt::format("schema: {} takes {} from opset {}", node.op, name(to_), floor)
                      : fmt::format("schema: no {} here in {}", name(to_), node.op),
            asks_for_raise(node) ? floor : 0);
      return;
    }
    const std::string_view why = input ? fixed_input(node, slot, to_, opset_) : fixed_output(node, slot, to_, opset_);
    if (!why.empty()) block(group, node.id, fmt::format("schema: {}: {}", node.op, why));
  }

  // The first later opset at which the slot takes the narrow type; 0: none that the library knows.
  std::int64_t floor_of(const Node& node, std::size_t slot, bool input) {
    if (!node.domain.empty()) return 0;
    const auto key = std::tuple(std::string(node.op), node.inputs.size(), node.outputs.size(), slot, input);
    const auto known = floors_.find(key);
    if (known != floors_.end()) return known->second;
    std::int64_t floor = 0;
    int last = since_version(node, opset_);
    for (std::int64_t opset = opset_ + 1; opset <= newest_opset && floor == 0; ++opset) {
      const int since = since_version(node, opset);
      if (since == last || since == 0) continue;
      last = since;
      const auto found = schema_types(node, opset);
      if (!found) continue;
      const auto& side = input ? found->inputs : found->outputs;
      if (slot < side.size() && (side[slot].allowed & bit(to_)) != 0) floor = opset;
    }
    floors_.emplace(key, floor);
    return floor;
  }

  bool runtime_has(const Node& node) {
    if (runtime_ == nullptr) return true;
    const auto [known, added] = runtime_answers_.try_emplace(node.op, false);
    if (added) known->second = loads_narrow(*runtime_, node, to_, opset_);
    return known->second;
  }

  static constexpr std::int64_t newest_opset = 64;  // past every release: unknown opsets have no newer schema

  TypeGroups& out_;
  const Model& model_;
  const TypeTable& types_;
  const PrecisionOptions& options_;
  const Runtime* runtime_;
  DType to_;
  std::int64_t opset_;
  std::size_t total_ = 0;
  UnionFind slots_;
  std::vector<char> float_;
  std::vector<std::size_t> borrowed_;
  std::map<std::string_view, bool> runtime_answers_;
  std::map<std::tuple<std::string, std::size_t, std::size_t, std::size_t, bool>, std::int64_t> floors_;
};

TypeGroups::TypeGroups(const Question& question) : model_(question.model) { GroupBuilder(*this, question).build(); }

int TypeGroups::output(NodeId node, std::size_t slot) const {
  return group_of(node_base_[index(node)] + model_->node(node).inputs.size() + slot);
}

int TypeGroups::scope_output(ScopeId scope, std::size_t slot) const {
  const Scope& place = model_->scope(scope);
  if (place.kind == ScopeKind::main_graph) return wide;
  return group_of(scope_base_[index(scope)] + place.inputs.size() + slot);
}

int TypeGroups::use(const Use& reader) const {
  return reader.node != NodeId::none ? input(reader.node, reader.slot) : scope_output(reader.scope, reader.slot);
}

int TypeGroups::source(ValueId value) const { return source_[index(value)]; }

}  // namespace aegis::recast
