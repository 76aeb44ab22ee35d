// What the tests of the recast share: run the passes as the planner does, and look at the result.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/attribute.hpp"
#include "model/load.hpp"
#include "model/save.hpp"
#include "rewriter/pass.hpp"
#include "rewriter/recast/verify.hpp"

namespace aegis::recast_test {

inline Model parse(std::string_view text) {
  auto model = parse_text(text);
  if (!model) FAIL(model.error().message);
  return *std::move(model);
}

// A graph under a header with this opset and the IR version that goes with it.
inline Model parse(int opset, std::string_view graph) {
  const int ir = opset >= 21 ? 10 : opset >= 19 ? 9 : 8;
  return parse("<ir_version: " + std::to_string(ir) + ", opset_import: [\"\" : " + std::to_string(opset) + "]>\n" +
               std::string(graph));
}

inline PrecisionOptions bf16() { return {.to = DType::bf16, .runtime = "schema"}; }
inline PrecisionOptions fp16() { return {.to = DType::f16, .runtime = "schema"}; }

struct Step {
  Model after;
  PassOutput output;
  bool changed = false;
};

inline Step run_pass(std::string_view pass, const Model& model, const PrecisionOptions& options) {
  const TypeTable types = infer(model, {});
  const PassInput input{.model = &model, .types = &types, .precision = options};
  const Pass* found = find_pass(pass);
  REQUIRE(found != nullptr);
  auto planned = found->plan(input);
  if (!planned) FAIL(planned.error().message);
  Step step{.after = model, .output = *std::move(planned)};
  if (step.output.patches.empty()) return step;
  auto applied = aegis::apply(model, step.output.patches);
  if (!applied) FAIL(applied.error().message);
  step.after = *std::move(applied);
  step.changed = true;
  return step;
}

// raise_opset, then recast_float; what the second says.
inline Step recast(const Model& model, const PrecisionOptions& options) {
  const Step raised = run_pass("raise_opset", model, options);
  Step step = run_pass("recast_float", raised.after, options);
  step.changed = step.changed || raised.changed;
  return step;
}

inline PrecisionOptions keeping(PrecisionOptions options, std::vector<std::string> nodes) {
  options.keep = std::move(nodes);
  return options;
}

// Pins as rules hand them in: by node name.
inline PrecisionOptions pinning(PrecisionOptions options, const Model& model, const std::vector<std::string>& nodes) {
  for (const Node& node : model.nodes()) {
    if (node.alive && std::ranges::find(nodes, node.name) != nodes.end()) options.pins.emplace_back(node.id, "PR999");
  }
  return options;
}

inline std::ptrdiff_t count(const Model& model, std::string_view op) {
  return std::ranges::count_if(model.nodes(), [&](const Node& node) { return node.alive && node.op == op; });
}

inline const Node& node(const Model& model, std::string_view name) {
  const auto found = std::ranges::find_if(model.nodes(), [&](const Node& n) { return n.alive && n.name == name; });
  REQUIRE(found != model.nodes().end());
  return *found;
}

// The element type that a node reads in a slot.
inline DType reads(const Model& model, std::string_view name, std::size_t slot) {
  return infer(model, {}).of(node(model, name).inputs.at(slot)).dtype;
}
inline DType makes(const Model& model, std::string_view name, std::size_t slot = 0) {
  return infer(model, {}).of(node(model, name).outputs.at(slot)).dtype;
}

inline void check_interface(const Model& before, const Model& after) {
  const TypeTable old_types = infer(before, {}), new_types = infer(after, {});
  REQUIRE(before.main().inputs.size() == after.main().inputs.size());
  REQUIRE(before.main().outputs.size() == after.main().outputs.size());
  const auto same = [&](ValueId a, ValueId b) {
    CHECK(before.value(a).name == after.value(b).name);
    CHECK(old_types.of(a).dtype == new_types.of(b).dtype);
    const auto old_shape = old_types.of(a).shape(), new_shape = new_types.of(b).shape();
    if (old_shape && new_shape) CHECK(*old_shape == *new_shape);
  };
  for (std::size_t i = 0; i < before.main().inputs.size(); ++i) same(before.main().inputs[i], after.main().inputs[i]);
  for (std::size_t i = 0; i < before.main().outputs.size(); ++i) {
    same(before.main().outputs[i], after.main().outputs[i]);
  }
}

// Every claim of a recast that holds whatever the model: valid, interface kept, every value typed, a second run finds
// nothing, and no Cast of ours undoes another.
inline void check_sound(const Model& before, const Step& step, const PrecisionOptions& options) {
  const Model& after = step.after;
  if (const auto verdict = recast::verify(after); !verdict) FAIL(verdict.error().message);
  check_interface(before, after);
  const TypeTable types = infer(after, {});
  CHECK(types.failures.empty());
  for (const Node& each : after.nodes()) {
    if (!each.alive || after.scope(each.scope).kind == ScopeKind::function) continue;
    for (const ValueId output : each.outputs) {
      if (output != ValueId::none) CHECK(types.of(output).kind != ValueType::Kind::unknown);
    }
    if (each.op != "Cast") continue;
    const NodeId producer = after.value(each.inputs[0]).producer;
    if (producer == NodeId::none || after.node(producer).op != "Cast") continue;
    const bool both_ours = index(each.id) >= before.nodes().size() && index(producer) >= before.nodes().size();
    CHECK_FALSE(both_ours);
  }
  const Step again = recast(after, options);
  CHECK_FALSE(again.changed);
}

}  // namespace aegis::recast_test
