// If, Loop, Scan and calls of model-local functions: their bodies are scopes of the same model and run in the same
// frame.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/cpu_engine.hpp"
#include "model/attribute.hpp"
#include "ops/infer.hpp"

namespace aegis {
namespace {

constexpr std::int64_t most_iterations = 1'000'000;
constexpr std::size_t deepest_call = 64;

using Tensors = std::vector<Tensor>;

Error problem(const CpuEngine& engine, const Node& node, std::string_view what) {
  return {Fault::validation,
          "",
          fmt::format("{} node '{}': {}", node.op, label(engine.model(), node.id), what),
          label(engine.model(), node.id),
          {}};
}

ScopeId body_named(const CpuEngine& engine, const Node& node, std::string_view attribute) {
  for (const ScopeId body : node.bodies)
    if (engine.model().scope(body).attribute == attribute) return body;
  return ScopeId::none;
}

const Tensor* input(const CpuEngine& engine, const Node& node, const Frame& frame, std::size_t slot) {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return nullptr;
  return engine.find(node.inputs[slot], frame);
}

Result<std::int64_t> integer(const CpuEngine& engine, const Node& node, const Tensor& tensor) {
  auto values = to_integers(tensor);
  if (!values || values->size() != 1)
    return problem(engine, node, "a condition or count must be one integer or boolean");
  return (*values)[0];
}

Tensor scalar(DType type, std::int64_t value) {
  Tensor tensor = Tensor::zeros(type, {});
  if (type == DType::boolean)
    *tensor.as_mutable<std::uint8_t>() = value != 0;
  else
    *tensor.as_mutable<std::int64_t>() = value;
  return tensor;
}

// Equal tensors put side by side along a new axis.
Result<Tensor> stack(const CpuEngine& engine, const Node& node, const Tensors& parts, std::size_t axis, bool reversed) {
  const Tensor& first = parts.front();
  if (axis > first.dims.size() || bits(first.type) % 8 != 0)
    return problem(engine, node, "a scan output cannot be stacked");
  std::vector<std::int64_t> dims = first.dims;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(parts.size()));
  AEGIS_TRY(Tensor out, engine.memory().allocate(first.type, dims));
  const auto inner =
      static_cast<std::size_t>(element_count(std::span(first.dims).subspan(axis)) * bits(first.type) / 8);
  const auto outer = static_cast<std::size_t>(element_count(std::span(first.dims).first(axis)));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Tensor& part = parts[reversed ? parts.size() - 1 - i : i];
    if (part.dims != first.dims) return problem(engine, node, "a scan output changes its extents between iterations");
    for (std::size_t o = 0; o < outer; ++o)
      std::memcpy(out.data->data() + (o * parts.size() + i) * inner, part.data->data() + o * inner, inner);
  }
  return out;
}

// What a scan output is when no iteration ran: its declared extents, 0 where they are not declared.
Result<Tensor> stack_of_none(const CpuEngine& engine, const Node& node, ScopeId body, std::size_t output) {
  const TypeTable types = infer(engine.model(), {});
  const ValueType& type = types.of(engine.model().scope(body).outputs[output]);
  if (!type.tensor()) return problem(engine, node, "a scan output of no iterations has no known type");
  std::vector<std::int64_t> dims{0};
  if (type.dims)
    for (const Dim& dim : *type.dims) dims.push_back(dim.value().value_or(0));
  return engine.memory().allocate(type.dtype, dims);
}

Result<Tensors> run_if(CpuEngine& engine, const Node& node, Frame& frame) {
  const Tensor* condition = input(engine, node, frame, 0);
  if (!condition) return problem(engine, node, "the condition has no value");
  AEGIS_TRY(const std::int64_t taken, integer(engine, node, *condition));
  const ScopeId branch = body_named(engine, node, taken ? "then_branch" : "else_branch");
  if (branch == ScopeId::none) return problem(engine, node, "the branch is missing");
  return engine.run_scope(branch, frame);
}

Result<Tensors> run_loop(CpuEngine& engine, const Node& node, Frame& frame) {
  const ScopeId body = body_named(engine, node, "body");
  if (body == ScopeId::none) return problem(engine, node, "the body is missing");
  const Scope& scope = engine.model().scope(body);
  std::int64_t trips = INT64_MAX, go_on = 1;
  if (const Tensor* m = input(engine, node, frame, 0)) {
    AEGIS_TRY(trips, integer(engine, node, *m));
  }
  if (const Tensor* condition = input(engine, node, frame, 1)) {
    AEGIS_TRY(go_on, integer(engine, node, *condition));
  }
  Tensors carried;
  for (std::size_t slot = 2; slot < node.inputs.size(); ++slot) {
    const Tensor* tensor = input(engine, node, frame, slot);
    if (!tensor)
      return problem(
          engine, node,
          "cannot run on the cpu engine: a carried value is missing; sequences and optionals are not handled");
    carried.push_back(*tensor);
  }
  if (scope.inputs.size() != carried.size() + 2 || scope.outputs.size() < carried.size() + 1)
    return problem(engine, node, "the body's inputs or outputs do not fit the node");
  const std::size_t scans = scope.outputs.size() - 1 - carried.size();
  std::vector<Tensors> scanned(scans);
  for (std::int64_t i = 0; i < trips && go_on; ++i) {
    if (i == most_iterations) return problem(engine, node, "a million iterations without an end");
    frame.values[index(scope.inputs[0])] = scalar(DType::i64, i);
    frame.values[index(scope.inputs[1])] = scalar(DType::boolean, go_on);
    for (std::size_t k = 0; k < carried.size(); ++k) frame.values[index(scope.inputs[k + 2])] = std::move(carried[k]);
    AEGIS_TRY(Tensors outputs, engine.run_scope(body, frame));
    AEGIS_TRY(go_on, integer(engine, node, outputs[0]));
    for (std::size_t k = 0; k < carried.size(); ++k) carried[k] = std::move(outputs[k + 1]);
    for (std::size_t k = 0; k < scans; ++k) scanned[k].push_back(std::move(outputs[carried.size() + 1 + k]));
  }
  Tensors results = std::move(carried);
  for (std::size_t k = 0; k < scans; ++k) {
    AEGIS_TRY(Tensor whole, scanned[k].empty() ? stack_of_none(engine, node, body, scope.outputs.size() - scans + k)
                                               : stack(engine, node, scanned[k], 0, false));
    results.push_back(std::move(whole));
  }
  return results;
}

// Slice i of an axis, without it.
Result<Tensor> slice(const CpuEngine& engine, const Node& node, const Tensor& tensor, std::size_t axis,
                     std::int64_t i) {
  if (bits(tensor.type) % 8 != 0) return problem(engine, node, "packed elements are not scanned");
  std::vector<std::int64_t> dims = tensor.dims;
  const std::int64_t extent = dims[axis];
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  AEGIS_TRY(Tensor out, engine.memory().allocate(tensor.type, dims));
  const auto inner =
      static_cast<std::size_t>(element_count(std::span(tensor.dims).subspan(axis + 1)) * bits(tensor.type) / 8);
  const std::int64_t outer = element_count(std::span(tensor.dims).first(axis));
  for (std::int64_t o = 0; o < outer; ++o)
    std::memcpy(out.data->data() + static_cast<std::size_t>(o) * inner,
                tensor.data->data() + static_cast<std::size_t>(o * extent + i) * inner, inner);
  return out;
}

Result<Tensors> run_scan(CpuEngine& engine, const Node& node, Frame& frame) {
  if (engine.model().opset(node.domain) < 9)
    return problem(engine, node, "cannot run on the cpu engine: the batched form of opset 8 is not handled");
  const ScopeId body = body_named(engine, node, "body");
  if (body == ScopeId::none) return problem(engine, node, "the body is missing");
  const Scope& scope = engine.model().scope(body);
  const auto scan_inputs =
      static_cast<std::size_t>(std::max<std::int64_t>(attribute(node, "num_scan_inputs", std::int64_t{0}), 0));
  if (scan_inputs == 0 || scan_inputs > node.inputs.size() || scope.inputs.size() != node.inputs.size())
    return problem(engine, node, "num_scan_inputs does not fit the inputs");
  const std::size_t states = node.inputs.size() - scan_inputs;
  if (scope.outputs.size() < states) return problem(engine, node, "the body has fewer outputs than states");
  const std::size_t scan_outputs = scope.outputs.size() - states;
  const auto listed = [&](const char* name, std::size_t count) {
    auto values = attribute_ints(node, name).value_or(std::vector<std::int64_t>{});
    values.resize(count, 0);
    return values;
  };
  const auto axes = listed("scan_input_axes", scan_inputs), directions = listed("scan_input_directions", scan_inputs);
  const auto out_axes = listed("scan_output_axes", scan_outputs),
             out_directions = listed("scan_output_directions", scan_outputs);

  Tensors state, sequences;
  for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const Tensor* tensor = input(engine, node, frame, slot);
    if (!tensor) return problem(engine, node, "an input is missing");
    (slot < states ? state : sequences).push_back(*tensor);
  }
  std::int64_t length = -1;
  std::vector<std::size_t> at;
  for (std::size_t k = 0; k < scan_inputs; ++k) {
    const auto rank = static_cast<std::int64_t>(sequences[k].dims.size());
    const std::int64_t axis = axes[k] < 0 ? axes[k] + rank : axes[k];
    if (axis < 0 || axis >= rank) return problem(engine, node, "a scan axis is outside its input");
    at.push_back(static_cast<std::size_t>(axis));
    const std::int64_t extent = sequences[k].dims[at[k]];
    if (length >= 0 && extent != length) return problem(engine, node, "the scanned inputs differ in length");
    length = extent;
  }
  std::vector<Tensors> scanned(scan_outputs);
  for (std::int64_t i = 0; i < length; ++i) {
    for (std::size_t k = 0; k < states; ++k) frame.values[index(scope.inputs[k])] = std::move(state[k]);
    for (std::size_t k = 0; k < scan_inputs; ++k) {
      AEGIS_TRY(frame.values[index(scope.inputs[states + k])],
                slice(engine, node, sequences[k], at[k], directions[k] ? length - 1 - i : i));
    }
    AEGIS_TRY(Tensors outputs, engine.run_scope(body, frame));
    for (std::size_t k = 0; k < states; ++k) state[k] = std::move(outputs[k]);
    for (std::size_t k = 0; k < scan_outputs; ++k) scanned[k].push_back(std::move(outputs[states + k]));
  }
  Tensors results = std::move(state);
  for (std::size_t k = 0; k < scan_outputs; ++k) {
    if (scanned[k].empty()) {
      AEGIS_TRY(Tensor none, stack_of_none(engine, node, body, states + k));
      results.push_back(std::move(none));
      continue;
    }
    const auto rank = static_cast<std::int64_t>(scanned[k].front().dims.size()) + 1;
    const std::int64_t axis = out_axes[k] < 0 ? out_axes[k] + rank : out_axes[k];
    if (axis < 0 || axis >= rank) return problem(engine, node, "a scan output axis is outside the output");
    AEGIS_TRY(Tensor whole, stack(engine, node, scanned[k], static_cast<std::size_t>(axis), out_directions[k] != 0));
    results.push_back(std::move(whole));
  }
  return results;
}

Result<Tensors> call_function(CpuEngine& engine, const Node& node, Frame& frame) {
  if (frame.calls.size() >= deepest_call)
    return problem(engine, node, "functions call each other deeper than 64 levels, expected an end; look for a circle");
  const Scope& scope = engine.model().scope(node.function);
  Tensors given(scope.inputs.size());
  for (std::size_t i = 0; i < scope.inputs.size(); ++i)
    if (const Tensor* tensor = input(engine, node, frame, i)) given[i] = *tensor;
  for (std::size_t i = 0; i < scope.inputs.size(); ++i) frame.values[index(scope.inputs[i])] = std::move(given[i]);
  frame.calls.push_back({&node, node.function});
  auto outputs = engine.run_scope(node.function, frame);
  frame.calls.pop_back();
  return outputs;
}

}  // namespace

Result<Tensors> run_control(CpuEngine& engine, const Node& node, Frame& frame) {
  if (node.function != ScopeId::none) return call_function(engine, node, frame);
  if (node.op == "If") return run_if(engine, node, frame);
  if (node.op == "Loop") return run_loop(engine, node, frame);
  return run_scan(engine, node, frame);
}

}  // namespace aegis
