#include "exec/cpu_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/float_state.hpp"
#include "ops/body.hpp"
#include "ops/op.hpp"

namespace aegis {
namespace {

constexpr std::size_t most_plans = 256;

Error problem(std::string message, std::string where) {
  return {Fault::validation, "", std::move(message), std::move(where), {}};
}

}  // namespace

void append_type(std::string& key, const Tensor* tensor) {
  if (!tensor) {
    key += "|-";
    return;
  }
  fmt::format_to(std::back_inserter(key), "|{}", static_cast<int>(tensor->type));
  for (const std::int64_t extent : tensor->dims) fmt::format_to(std::back_inserter(key), ",{}", extent);
}

std::string CpuEngine::call_path(const Frame& frame) {
  std::string path;
  for (const Frame::Call& call : frame.calls) path += std::to_string(index(call.node->id)) + '/';
  return path;
}

CpuEngine::CpuEngine(const Model& model, const RunOptions& options)
    : model_(model),
      options_(options),
      parallel_(std::make_shared<Parallel>(options.threads)),
      memory_(options.max_bytes),
      constants_(model.values().size()) {}

CpuEngine::CpuEngine(const Model& model, const CpuEngine& outer)
    : model_(model),
      options_(outer.options_),
      parallel_(outer.parallel_),
      memory_(outer.memory_),
      constants_(model.values().size()) {
  options_.observer = nullptr;
}

Result<CpuEngine*> CpuEngine::body_engine(const Node& node, const std::string& key, std::span<const ValueType> inputs) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = bodies_.find(key);
    if (found != bodies_.end()) return found->second.get();
  }
  AEGIS_TRY(const Model body, body_of(model_, node, inputs));
  std::unique_ptr<CpuEngine> made(new CpuEngine(body, *this));
  AEGIS_CHECK(made->load_constants());
  const std::lock_guard lock(mutex_);
  return bodies_.emplace(key, std::move(made)).first->second.get();
}

const Tensor* CpuEngine::constant(ValueId value) const {
  const Tensor& tensor = constants_[index(value)];
  return tensor.data ? &tensor : nullptr;
}

const Tensor* CpuEngine::find(ValueId value, const Frame& frame) const {
  const Tensor& tensor = frame.values[index(value)];
  return tensor.data ? &tensor : constant(value);
}

const Node& CpuEngine::node_in(NodeId id, const Frame& frame) {
  const Node& node = model_.node(id);
  if (frame.calls.empty() || !refers_to_call(node)) return node;
  const std::string key = call_path(frame) + std::to_string(index(id));
  const std::lock_guard lock(mutex_);
  auto& made = call_nodes_[key];
  const Frame::Call& call = frame.calls.back();
  if (!made) made = std::make_unique<CallNode>(node, *call.node, model_.scope(call.function));
  return made->node();
}

const ScopeOrder& CpuEngine::order(ScopeId scope) {
  const std::lock_guard lock(mutex_);
  const auto found = orders_.find(scope);
  return found != orders_.end() ? found->second : orders_.emplace(scope, order_of(model_, scope)).first->second;
}

Result<void> CpuEngine::load_constants() {
  const StrictFloats strict;
  for (const Value& value : model_.values()) {
    const TensorSource* source = value.alive ? model_.constant(value.id) : nullptr;
    if (!source || source->type == DType::string) continue;
    auto tensor = source->read();
    if (!tensor) {
      Error error = std::move(tensor).error();
      if (error.where.empty()) error.where = std::string(value.name);
      return error;
    }
    if (!tensor->data) continue;
    constants_[index(value.id)] = *std::move(tensor);
  }
  for (const NodeId id : order(ScopeId::main).nodes) AEGIS_CHECK(fold(id));
  return {};
}

Result<void> CpuEngine::fold(NodeId id) {
  const Node& node = model_.node(id);
  if (is_control(node)) return {};
  const auto is_constant = [&](ValueId v) { return v == ValueId::none || constant(v); };
  if (!std::ranges::all_of(node.inputs, is_constant) || std::ranges::all_of(node.outputs, is_constant)) return {};
  const Op* op = find_op(node.domain, node.op);
  if (!op || !op->lower || op->risk == Risk::random) return {};
  const Frame empty{std::vector<Tensor>(model_.values().size()), nullptr, {}};
  auto outputs = run_node(node, empty);
  if (!outputs) return {};  // the run will say what is wrong, if it comes to this node
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != ValueId::none) constants_[index(node.outputs[i])] = std::move((*outputs)[i]);
  return {};
}

Result<void> CpuEngine::load_inputs(const Feeds& feeds, Frame& frame) const {
  for (const auto& [name, tensor] : feeds) {
    const ValueId id = model_.find(name);
    if (id == ValueId::none || !model_.value(id).input || model_.value(id).scope != ScopeId::main)
      return problem(fmt::format("the graph has no input '{}', give its inputs only", name), name);
  }
  for (const ValueId id : model_.main().inputs) {
    const Value& value = model_.value(id);
    const auto given = feeds.find(std::string(value.name));
    if (given != feeds.end()) {
      if (!given->second.data) return problem("an input without data, give a tensor", std::string(value.name));
      frame.values[index(id)] = given->second;
      continue;
    }
    if (constant(id)) continue;
    const TensorSource* preset = model_.initializer(id);
    if (!preset) return problem("no value was given for this graph input, give one", std::string(value.name));
    AEGIS_TRY(frame.values[index(id)], preset->read());
  }
  return {};
}

Result<RunResult> CpuEngine::run(const Feeds& feeds) {
  const StrictFloats strict;
  Frame frame{std::vector<Tensor>(model_.values().size()), options_.observer, {}};
  AEGIS_CHECK(load_inputs(feeds, frame));
  RunResult result;
  for (const ValueId output : model_.main().outputs) result.names.emplace_back(model_.value(output).name);
  AEGIS_TRY(result.outputs, run_scope(ScopeId::main, frame));
  return result;
}

Result<std::shared_ptr<const Plan>> CpuEngine::plan_for(ScopeId scope, const Frame& frame) {
  const ScopeOrder& nodes = order(scope);
  std::string key = call_path(frame) + std::to_string(index(scope));
  for (const auto* list : {&model_.scope(scope).inputs, &nodes.captured})
    for (const ValueId value : *list) append_type(key, find(value, frame));
  {
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
  }
  const Known outside{[&](ValueId v) {
                        const Tensor* tensor = find(v, frame);
                        return tensor ? type_of(*tensor) : ValueType{};
                      },
                      [&](ValueId v) { return constant(v); },
                      [&](NodeId id) -> const Node& { return node_in(id, frame); }};
  AEGIS_TRY(Plan plan, make_plan(model_, nodes, outside, memory_, *parallel_));
  auto shared = std::make_shared<const Plan>(std::move(plan));
  const std::lock_guard lock(mutex_);
  if (plans_.size() >= most_plans) plans_.clear();
  return plans_.emplace(std::move(key), std::move(shared)).first->second;
}

Result<std::vector<Tensor>> CpuEngine::run_node(const Node& node, const Frame& frame) {
  const Known known{[&](ValueId) { return ValueType{}; }, [&](ValueId v) { return find(v, frame); }, {}};
  std::vector<const Tensor*> inputs;
  std::vector<ValueType> types;
  for (const ValueId input : node.inputs) {
    inputs.push_back(input == ValueId::none ? nullptr : find(input, frame));
    types.push_back(inputs.back() ? type_of(*inputs.back()) : ValueType{});
    if (input != ValueId::none && !inputs.back())
      return problem(
          fmt::format("{}: input '{}' has no value", describe(model_, node, types), model_.value(input).name),
          label(model_, node.id));
  }
  AEGIS_TRY(const Lowered lowered, lower_node(model_, node, known));
  if (lowered.state != Lowered::State::ready)
    return problem(fmt::format("{}: the output's extents do not follow from the inputs", describe(model_, node, types)),
                   label(model_, node.id));
  auto outputs = execute(lowered.program, inputs, memory_, *parallel_);
  if (!outputs) return at_node(std::move(outputs).error(), model_, node, types);
  return outputs;
}

Result<std::vector<Tensor>> CpuEngine::run_step(const Step& step, Frame& frame) {
  const Node& node = node_in(step.node, frame);
  switch (step.kind) {
    case Step::Kind::fixed: {
      std::vector<Tensor> outputs;
      for (const ValueId v : node.outputs) outputs.push_back(v == ValueId::none ? Tensor{} : *constant(v));
      return outputs;
    }
    case Step::Kind::known: return step.known;
    case Step::Kind::deferred: return run_node(node, frame);
    case Step::Kind::body:
      if (is_control(node)) return run_control(*this, node, frame);
      return run_body(*this, node, frame, call_path(frame) + std::to_string(index(step.node)));
    case Step::Kind::program: break;
  }
  std::vector<const Tensor*> inputs;
  for (const ValueId input : node.inputs) inputs.push_back(input == ValueId::none ? nullptr : find(input, frame));
  auto outputs = execute(step.program, inputs, memory_, *parallel_);
  if (outputs) return outputs;
  std::vector<ValueType> types;
  for (const Tensor* tensor : inputs) types.push_back(tensor ? type_of(*tensor) : ValueType{});
  return at_node(std::move(outputs).error(), model_, node, types);
}

Result<std::vector<Tensor>> CpuEngine::run_scope(ScopeId scope, Frame& frame) {
  const ScopeOrder& nodes = order(scope);
  AEGIS_TRY(const std::shared_ptr<const Plan> plan, plan_for(scope, frame));
  for (std::size_t i = 0; i < plan->steps.size(); ++i) {
    const Step& step = plan->steps[i];
    const Node& node = model_.node(step.node);
    if (std::chrono::steady_clock::now() > options_.deadline)
      return Error{.fault = Fault::validation,
                   .code = past_deadline,
                   .message = "the run took longer than its deadline; give it more time or smaller inputs",
                   .where = label(model_, node.id)};
    AEGIS_TRY(std::vector<Tensor> outputs, run_step(step, frame));
    for (std::size_t k = 0; k < node.outputs.size() && k < outputs.size(); ++k) {
      const ValueId id = node.outputs[k];
      if (id == ValueId::none || !outputs[k].data) continue;
      if (frame.observer) frame.observer->value(node.id, id, outputs[k]);
      frame.values[index(id)] = std::move(outputs[k]);
    }
    for (const ValueId value : nodes.release[i]) frame.values[index(value)] = {};
  }
  std::vector<Tensor> results;
  for (const ValueId output : model_.scope(scope).outputs) {
    const Tensor* tensor = find(output, frame);
    if (!tensor) return problem("the output was not made", std::string(model_.value(output).name));
    results.push_back(*tensor);
  }
  for (const NodeId id : nodes.nodes)
    for (const ValueId value : model_.node(id).outputs)
      if (value != ValueId::none) frame.values[index(value)] = {};
  for (const ValueId value : model_.scope(scope).inputs) frame.values[index(value)] = {};
  return results;
}

}  // namespace aegis
