#include "exec/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ops/infer.hpp"

namespace aegis {
namespace {

// Larger constants are no shapes, axes or bounds: the schema functions do not look at them.
constexpr std::int64_t largest_hint = 4096;
// Results beyond this are made at run time even when they could be made while planning.
constexpr std::uint64_t largest_known = 1u << 20;

// Computed while planning when no call reads an input whose value is not known.
bool computable(const Program& program, std::span<const Tensor* const> values) {
  std::uint64_t bytes = 0;
  for (std::size_t i = program.inputs; i < program.inputs + program.outputs; ++i) {
    const Slot& slot = program.slots[i];
    if (!slot.known) continue;
    bytes += raw_bytes(slot.type, static_cast<std::uint64_t>(element_count(slot.dims)));
  }
  if (bytes > largest_known) return false;
  return std::ranges::all_of(program.calls, [&](const PrimCall& call) {
    return std::ranges::all_of(call.in, [&](SlotId slot) {
      return slot == no_slot || static_cast<std::size_t>(slot) >= program.inputs ||
             values[static_cast<std::size_t>(slot)];
    });
  });
}

class Planner {
 public:
  Planner(const Model& model, const ScopeOrder& order, const Known& outside, const Memory& memory, Parallel& parallel)
      : model_(model), order_(order), outside_(outside), memory_(memory), parallel_(parallel) {}

  Result<Plan> plan() {
    Plan plan;
    for (const NodeId id : order_.nodes) {
      const Node& node = outside_.node(id);
      AEGIS_TRY(Step step, plan_node(node));
      step.node = id;
      plan.steps.push_back(std::move(step));
    }
    return plan;
  }

 private:
  Result<Step> plan_node(const Node& node) {
    Step step;
    if (std::ranges::all_of(node.outputs, [&](ValueId v) { return v == ValueId::none || outside_.value(v); })) {
      step.kind = Step::Kind::fixed;
      return step;
    }
    if (is_control(node)) {
      step.kind = Step::Kind::body;
      return step;
    }
    if (runs_by_body(model_, node)) {
      step.kind = Step::Kind::body;
      infer_outputs(node);
      return step;
    }
    const Known here{[&](ValueId v) { return type(v); }, [&](ValueId v) { return value(v); }, outside_.node};
    AEGIS_TRY(Lowered lowered, lower_node(model_, node, here));
    if (lowered.state == Lowered::State::needs_values) {
      step.kind = Step::Kind::deferred;
      return step;
    }
    step.program = std::move(lowered.program);
    std::vector<const Tensor*> values;
    for (const ValueId input : node.inputs) values.push_back(input == ValueId::none ? nullptr : value(input));
    if (computable(step.program, values)) {
      auto made = execute(step.program, values, memory_, parallel_);
      if (!made) {
        step = {};
        step.kind = Step::Kind::deferred;  // the run will say what is wrong, if it comes to this node
        return step;
      }
      step.kind = Step::Kind::known;
      step.known = *std::move(made);
      step.program = {};
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] == ValueId::none) continue;
        types_[node.outputs[i]] = type_of(step.known[i]);
        values_[node.outputs[i]] = step.known[i];
      }
      return step;
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const Slot& slot = step.program.slots[step.program.inputs + i];
      if (node.outputs[i] != ValueId::none && slot.known)
        types_[node.outputs[i]] = ValueType::tensor_of(slot.type, slot.dims);
    }
    return step;
  }

  // What follows a body can be planned where the schema tells the types.
  void infer_outputs(const Node& node) {
    std::vector<ValueType> types;
    std::vector<const Tensor*> hints;
    for (const ValueId input : node.inputs) {
      types.push_back(input == ValueId::none ? ValueType{} : type(input));
      const Tensor* known = input == ValueId::none ? nullptr : value(input);
      hints.push_back(known && known->elements() <= largest_hint ? known : nullptr);
      if (input != ValueId::none && !types.back().shape()) return;
    }
    const auto outputs = infer_node(model_, node, types, hints);
    if (!outputs) return;  // the run will say what is wrong, if it comes to this node
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] != ValueId::none && (*outputs)[i].shape()) types_[node.outputs[i]] = (*outputs)[i];
  }

  ValueType type(ValueId id) const {
    const auto found = types_.find(id);
    return found != types_.end() ? found->second : outside_.type(id);
  }
  const Tensor* value(ValueId id) const {
    const auto found = values_.find(id);
    return found != values_.end() ? &found->second : outside_.value(id);
  }

  const Model& model_;
  const ScopeOrder& order_;
  const Known& outside_;
  const Memory& memory_;
  Parallel& parallel_;
  std::unordered_map<ValueId, ValueType> types_;
  std::unordered_map<ValueId, Tensor> values_;
};

std::string print(const ValueType& type) {
  if (!type.tensor()) return "unknown";
  std::string dims;
  if (type.dims)
    for (const Dim& dim : *type.dims)
      dims += fmt::format("{}{}", dims.empty() ? "" : ", ", dim.known() ? std::to_string(dim.extent) : "?");
  return fmt::format("{}[{}]", name(type.dtype), type.dims ? dims : "...");
}

}  // namespace

ValueType type_of(const Tensor& tensor) { return ValueType::tensor_of(tensor.type, tensor.dims); }

bool is_control(const Node& node) {
  if (node.function != ScopeId::none) return true;
  return node.domain.empty() && (node.op == "If" || node.op == "Loop" || node.op == "Scan");
}

std::string describe(const Model& model, const Node& node, std::span<const ValueType> inputs) {
  std::string types;
  for (const ValueType& type : inputs) types += (types.empty() ? "" : ", ") + print(type);
  return fmt::format("{} node '{}' with inputs ({})", node.op, label(model, node.id), types);
}

Error at_node(Error error, const Model& model, const Node& node, std::span<const ValueType> inputs) {
  if (error.where.empty()) error.message = fmt::format("{}: {}", describe(model, node, inputs), error.message);
  error.where = label(model, node.id);
  return error;
}

Result<Lowered> lower_node(const Model& model, const Node& node, const Known& known) {
  std::vector<ValueType> types;
  std::vector<const Tensor*> values, hints;
  for (const ValueId input : node.inputs) {
    types.push_back(input == ValueId::none ? ValueType{} : known.type(input));
    values.push_back(input == ValueId::none ? nullptr : known.value(input));
    hints.push_back(values.back() && values.back()->elements() <= largest_hint ? values.back() : nullptr);
    if (values.back() && values.back()->type != DType::undefined) types.back() = type_of(*values.back());
    if (input != ValueId::none && !types.back().shape()) {
      Lowered later;
      later.state = Lowered::State::needs_values;
      return later;
    }
  }
  auto outputs = infer_node(model, node, types, hints);
  // Some schemas refuse values which their operator takes (a Range of one-element vectors): the types alone may do.
  if (!outputs) {
    if (auto by_types = infer_node(model, node, types, std::vector<const Tensor*>(types.size())))
      outputs = std::move(by_types);
  }
  if (!outputs && since_version(node, model.opset(node.domain)) == 0)  // the lowering says what comes out
    outputs = std::vector<ValueType>(node.outputs.size());
  if (!outputs) return at_node(std::move(outputs).error(), model, node, types);
  Lowered lowered = lower(node, model.opset(node.domain), types, *outputs, values);
  if (lowered.state == Lowered::State::unsupported)
    return Error{Fault::validation,
                 "",
                 fmt::format("{} cannot run on the cpu engine: {}", describe(model, node, types), lowered.reason),
                 label(model, node.id),
                 {}};
  return lowered;
}

Result<Plan> make_plan(const Model& model, const ScopeOrder& order, const Known& outside, const Memory& memory,
                       Parallel& parallel) {
  return Planner(model, order, outside, memory, parallel).plan();
}

}  // namespace aegis
