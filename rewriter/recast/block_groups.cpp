#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "linter/match.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/islands.hpp"
#include "rewriter/recast/runtime.hpp"
#include "rewriter/recast/slots.hpp"

namespace aegis::recast {
namespace {

constexpr std::uint64_t bit(DType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }

}  // namespace

class GroupBlocker {
 public:
  GroupBlocker(TypeGroups& out, const Question& question)
      : out_(out),
        model_(*question.model),
        types_(*question.types),
        options_(*question.options),
        runtime_(find_runtime(question.runtime)),
        to_(options_.to),
        opset_(model_.opset()) {}

  void run() {
    for (const auto& [node, cause] : pinned()) block_node(model_.node(node), cause);
    for (const auto& [value, cause] : options_.value_pins) {
      block(out_.source(value), model_.value(value).producer, cause);
    }
    for (const NodeId node : islands(model_, types_)) block_node(model_.node(node), "an island of the source");
    block_shadows();
    std::set<NodeId> failed;
    for (const InferenceFailure& failure : types_.failures) failed.insert(failure.node);
    for (const Node& node : model_.nodes()) {
      if (!node.alive || in_function(model_, node.scope)) continue;
      if (failed.contains(node.id)) block_node(node, "type inference refuses the node");
      constrain(node);
    }
  }

 private:
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
      int& group = out_.slots_[out_.input_slot(node, i)];
      if (group == any || group == narrow) group = wide;
      block(group, node.id, cause, floor);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      block(out_.slots_[out_.output_slot(node, i)], node.id, cause, floor);
  }

  // ONNX's inference takes a body's value for the outer value of the same name; files that break the rule against this
  // exist.
  void block_shadows() {
    for (const Value& value : model_.values()) {
      if (!value.alive || !is_wide(types_, value.id) || in_function(model_, value.scope)) continue;
      const ScopeId parent = model_.scope(value.scope).parent;
      if (parent == ScopeId::none || model_.find(value.name, parent) == ValueId::none) continue;
      block(out_.source(value.id), value.producer, "its name is also used outside the body");
    }
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
    const auto found = schema_of(model_, node, opset_);
    bool touched = false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (out_.slots_[out_.input_slot(node, i)] < 0) continue;
      touched = true;
      constrain_slot(node, out_.slots_[out_.input_slot(node, i)],
                     i < found->inputs.size() ? &found->inputs[i] : nullptr, i, true);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (out_.slots_[out_.output_slot(node, i)] < 0) continue;
      touched = true;
      constrain_slot(node, out_.slots_[out_.output_slot(node, i)],
                     i < found->outputs.size() ? &found->outputs[i] : nullptr, i, false);
    }
    if (touched && !runtime_has(node)) {
      block_node(node, fmt::format("runtime: {} has no {} in {}", runtime_->name, node.op, name(to_)));
    }
  }

  // A FLOAT to FLOAT Cast whose output is public keeps it FLOAT; others follow what they read.
  void constrain_cast(const Node& node) {
    if (opset_ < 13 && to_ == DType::bf16) {
      block(out_.slots_[out_.output_slot(node, 0)], node.id, "schema: Cast makes bfloat16 from opset 13", 13);
    }
    const bool from_narrow = node.inputs[0] != ValueId::none && types_.of(node.inputs[0]).dtype == to_;
    const bool public_copy = is_wide(types_, node.inputs[0]) && model_.value(node.outputs[0]).output;
    if (from_narrow || public_copy) block(out_.slots_[out_.output_slot(node, 0)], node.id, "a Cast of the source");
  }

  // A version of an operator that was withdrawn (GroupNormalization 18) and came back: the opset where it did.
  std::int64_t withdrawn_until(const Node& node) {
    const bool withdrawn = node.function == ScopeId::none && node.bodies.empty() && since_version(node, opset_) > 0 &&
                           !schema_of(model_, node, opset_) && !node.outputs.empty();
    return withdrawn ? floor_of(node, 0, false) : 0;
  }

  std::string foreign(const Node& node) const {
    if (node.function != ScopeId::none) return fmt::format("calls the model's own function {}", node.op);
    if (!schema_of(model_, node, opset_)) return fmt::format("unknown op: {} has no schema at this opset", node.op);
    if (!node.bodies.empty()) {
      if (node.op == "If" || node.op == "Loop" || joinable_scan(node, opset_)) return "";
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
    for (std::size_t i = 0; i < body.inputs.size(); ++i) block(out_.slots_[out_.formal_slot(body, i)], owner, cause);
    for (std::size_t i = 0; i < body.outputs.size(); ++i) block(out_.slots_[out_.result_slot(body, i)], owner, cause);
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
    if (added) known->second = node.domain.empty() && loads_narrow(*runtime_, node, to_, opset_) != Answer::no;
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
  std::map<std::string_view, bool> runtime_answers_;
  std::map<std::tuple<std::string, std::size_t, std::size_t, std::size_t, bool>, std::int64_t> floors_;
};

void block_groups(TypeGroups& groups, const Question& question) { GroupBlocker(groups, question).run(); }

}  // namespace aegis::recast
