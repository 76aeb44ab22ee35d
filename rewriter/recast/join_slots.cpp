#include <algorithm>
#include <map>
#include <numeric>

#include "model/attribute.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/slots.hpp"

namespace aegis::recast {
namespace {

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

class SlotJoiner {
 public:
  SlotJoiner(TypeGroups& out, const Question& question)
      : out_(out),
        model_(*question.model),
        types_(*question.types),
        to_(question.options->to),
        opset_(model_.opset()),
        slots_(count_slots()),
        float_(total_, 0) {}

  void run() {
    for (const Node& node : model_.nodes()) {
      if (node.alive && !in_function(model_, node.scope)) mark(node);
    }
    for (const Node& node : model_.nodes()) {
      if (node.alive && !in_function(model_, node.scope)) join(node);
    }
    join_borrowed_outputs();
    number();
    tell_sources();
    for (const Node& node : model_.nodes()) {
      if (node.alive && !in_function(model_, node.scope)) out_.main_[index(node.id)] = main_group(node);
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

  // Marks the FLOAT slots. A Cast takes any type, so its input is in no group unless somebody pins the Cast.
  void mark(const Node& node) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      float_[out_.input_slot(node, i)] = is_wide(types_, node.inputs[i]);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      float_[out_.output_slot(node, i)] = is_wide(types_, node.outputs[i]);
    for (const ScopeId id : node.bodies) {
      const Scope& body = model_.scope(id);
      for (std::size_t i = 0; i < body.inputs.size(); ++i)
        float_[out_.formal_slot(body, i)] = is_wide(types_, body.inputs[i]);
      for (std::size_t i = 0; i < body.outputs.size(); ++i)
        float_[out_.result_slot(body, i)] = is_wide(types_, body.outputs[i]);
    }
  }

  void unite(std::size_t a, std::size_t b) {
    if (float_[a] && float_[b]) slots_.join(a, b);
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
    const auto found = schema_of(model_, node, opset_);
    if (!found) return;
    for (std::size_t i = 0; i < node.inputs.size() && i < found->inputs.size(); ++i) {
      slot(out_.input_slot(node, i), &found->inputs[i]);
    }
    for (std::size_t i = 0; i < node.outputs.size() && i < found->outputs.size(); ++i) {
      slot(out_.output_slot(node, i), &found->outputs[i]);
    }
  }

  void join_control(const Node& node) {
    if (node.op == "If") {
      for (const ScopeId id : node.bodies) {
        const Scope& body = model_.scope(id);
        const std::size_t count = std::min(body.outputs.size(), node.outputs.size());
        for (std::size_t i = 0; i < count; ++i) unite(out_.result_slot(body, i), out_.output_slot(node, i));
      }
      return;
    }
    if (node.bodies.size() != 1) return;
    const Scope& body = model_.scope(node.bodies[0]);
    if (node.op == "Loop") {  // inputs: trip count, condition, carried; body: iteration, condition, carried
      for (std::size_t i = 2; i < node.inputs.size() && i < body.inputs.size(); ++i) {
        unite(out_.input_slot(node, i), out_.formal_slot(body, i));
        if (i - 1 < body.outputs.size()) unite(out_.formal_slot(body, i), out_.result_slot(body, i - 1));
      }
      for (std::size_t i = 0; i < node.outputs.size() && i + 1 < body.outputs.size(); ++i) {
        unite(out_.result_slot(body, i + 1), out_.output_slot(node, i));
      }
    } else if (joinable_scan(node, opset_)) {  // states first, on both sides
      const auto sequences = static_cast<std::size_t>(attribute(node, "num_scan_inputs", std::int64_t{0}));
      const std::size_t states = node.inputs.size() - std::min(sequences, node.inputs.size());
      for (std::size_t i = 0; i < node.inputs.size() && i < body.inputs.size(); ++i) {
        unite(out_.input_slot(node, i), out_.formal_slot(body, i));
        if (i < states && i < body.outputs.size()) unite(out_.formal_slot(body, i), out_.result_slot(body, i));
      }
      for (std::size_t i = 0; i < node.outputs.size() && i < body.outputs.size(); ++i) {
        unite(out_.result_slot(body, i), out_.output_slot(node, i));
      }
    }
  }

  // A body that hands out a value it did not make cannot put a Cast in between: no name is free for it. A value that a
  // body hands out twice has one type.
  void join_borrowed_outputs() {
    for (const Scope& scope : model_.scopes()) {
      if (scope.kind != ScopeKind::subgraph || in_function(model_, scope.id)) continue;
      std::map<ValueId, std::size_t> first;
      for (std::size_t i = 0; i < scope.outputs.size(); ++i) {
        if (scope.outputs[i] == ValueId::none) continue;
        unite(first.emplace(scope.outputs[i], out_.result_slot(scope, i)).first->second, out_.result_slot(scope, i));
        const Value& value = model_.value(scope.outputs[i]);
        if (value.producer != NodeId::none && value.scope == scope.id) continue;
        const std::size_t source = source_slot(value);
        if (source != total_)
          unite(source, out_.result_slot(scope, i));
        else
          borrowed_.push_back(out_.result_slot(scope, i));
      }
    }
  }

  // The slot that makes a value; total_ when it is a constant or a public input.
  std::size_t source_slot(const Value& value) const {
    if (value.producer != NodeId::none) {
      const Node& node = model_.node(value.producer);
      const auto at = std::ranges::find(node.outputs, value.id);
      return at == node.outputs.end() ? total_
                                      : out_.output_slot(node, static_cast<std::size_t>(at - node.outputs.begin()));
    }
    const Scope& scope = model_.scope(value.scope);
    const auto at = std::ranges::find(scope.inputs, value.id);
    if (!value.input || scope.kind != ScopeKind::subgraph || at == scope.inputs.end()) return total_;
    return out_.formal_slot(scope, static_cast<std::size_t>(at - scope.inputs.begin()));
  }

  // Gives every FLOAT slot the number of its group. The input of a Cast is in none.
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
      if (!node.alive || in_function(model_, node.scope)) continue;
      const DType target = cast_target(node);
      if (target == DType::undefined || out_.slots_[out_.input_slot(node, 0)] == none) continue;
      out_.slots_[out_.input_slot(node, 0)] = target == to_ ? narrow : any;
    }
    const Block outside{.cause = "a body hands out a value from outside"};
    for (const std::size_t slot : borrowed_) {
      const int group = out_.slots_[slot];
      if (group < 0) continue;
      out_.groups_[static_cast<std::size_t>(group)].blocks.push_back(outside);
    }
  }

  void tell_sources() {
    out_.source_.assign(model_.values().size(), wide);
    for (const Value& value : model_.values()) {
      if (!value.alive || in_function(model_, value.scope)) continue;
      const std::size_t slot = source_slot(value);
      if (slot != total_) out_.source_[index(value.id)] = out_.slots_[slot];
    }
    out_.main_.assign(model_.nodes().size(), none);
  }

  // Of the first float output, else of the first float input; `none` when that one is narrow already.
  int main_group(const Node& node) const {
    if (!node.bodies.empty()) return none;
    const auto decides = [&](ValueId value) {
      return value != ValueId::none && types_.of(value).tensor() && is_float(types_.of(value).dtype);
    };
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (decides(node.outputs[i])) return out_.slots_[out_.output_slot(node, i)];
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (decides(node.inputs[i])) return out_.slots_[out_.input_slot(node, i)];
    }
    return none;
  }

  TypeGroups& out_;
  const Model& model_;
  const TypeTable& types_;
  DType to_;
  std::int64_t opset_;
  std::size_t total_ = 0;
  UnionFind slots_;
  std::vector<char> float_;
  std::vector<std::size_t> borrowed_;  // results of bodies that are constants or public inputs
};

void join_slots(TypeGroups& groups, const Question& question) { SlotJoiner(groups, question).run(); }

}  // namespace aegis::recast
