// What the padding tests share: weights in ONNX text, a run of the pass with every limit lifted, and the comparison of
// both models on the CPU engine.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "model/load.hpp"
#include "model/save.hpp"
#include "rewriter/plan.hpp"

namespace aegis::lab {

using Shape = std::vector<std::int64_t>;

// "float[2,3] W = {...}" with numbers that depend on the name alone.
inline std::string weight(const std::string& name, const Shape& shape, const std::string& type = "float") {
  std::mt19937 random(static_cast<std::uint32_t>(std::hash<std::string>{}(name)));
  std::string text = type + "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(shape[i]);
  text += "] " + name + " = {";
  const std::int64_t count = element_count(shape);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool integer = type != "float";
    const int number = static_cast<int>(random() % 2001) - 1000;
    text += (i > 0 ? "," : "") + (integer ? std::to_string(number % 50) : std::to_string(number / 1000.0));
  }
  return text + "}";
}

inline Model model(const std::string& text) {
  Result<Model> parsed = parse_text(text);
  if (!parsed) FAIL(parsed.error().message);
  return *std::move(parsed);
}

inline RewriteRequest always(std::int64_t multiple = 8) {
  RewriteRequest request;
  request.pad = true;
  request.padding.gate = PaddingOptions::Gate::off;
  request.padding.multiple = multiple;
  request.padding.max_tensor_growth = request.padding.max_flop_growth = 100;
  request.padding.max_file_growth = request.padding.max_activation_growth = 100;
  return request;
}

inline RewriteOutcome pad(const Model& before, const RewriteRequest& request = always()) {
  const CpuEvaluator evaluator;
  Result<RewriteOutcome> outcome = rewrite(before, {}, nullptr, evaluator, request);
  if (!outcome) FAIL(outcome.error().message);
  return *std::move(outcome);
}

inline std::map<std::string, Shape> shapes(const Model& model) {
  const TypeTable types = infer(model, {});
  std::map<std::string, Shape> out;
  for (const Value& value : model.values()) {
    if (!value.alive || value.name.empty()) continue;
    if (const TensorSource* source = model.constant(value.id)) {
      out[std::string(value.name)] = source->dims;
    } else if (const auto shape = types.of(value.id).shape()) {
      out[std::string(value.name)] = *shape;
    }
  }
  return out;
}

inline std::vector<std::string> reasons(const RewriteOutcome& outcome) {
  std::vector<std::string> out;
  for (const RewriteStage& stage : outcome.stages) {
    for (const Refusal& refusal : stage.output.refused) out.push_back(refusal.reason);
  }
  return out;
}

inline bool refused_with(const RewriteOutcome& outcome, const std::string& reason) {
  for (const std::string& word : reasons(outcome)) {
    if (word == reason) return true;
  }
  return false;
}

// Random inputs: small floats, integers below 5; symbolic extents are 3.
inline Feeds feeds(const Model& model, std::uint32_t seed) {
  const TypeTable types = infer(model, {});
  std::mt19937 random(seed);
  Feeds out;
  for (const ValueId id : model.main().inputs) {
    if (model.constant(id) != nullptr) continue;
    Shape shape;
    for (const Dim& dim : *types.of(id).dims) shape.push_back(dim.value().value_or(3));
    std::vector<double> numbers(static_cast<std::size_t>(element_count(shape)));
    const bool real = is_float(types.of(id).dtype);
    for (double& number : numbers)
      number = real ? (static_cast<int>(random() % 2001) - 1000) / 500.0 : static_cast<double>(random() % 5);
    out[std::string(model.value(id).name)] = from_doubles(types.of(id).dtype, shape, numbers);
  }
  return out;
}

// Both models give the same bits for the same inputs, whatever the number of threads.
inline void same_bits(const Model& before, const Model& after, std::uint32_t seed = 1) {
  const Feeds in = feeds(before, seed);
  RunOptions one, two;
  two.threads = 2;
  const Result<RunResult> a = run(before, in, one);
  const Result<RunResult> b = run(after, in, two);
  if (!a) FAIL(a.error().message);
  if (!b) FAIL(b.error().message);
  REQUIRE(a->names == b->names);
  for (std::size_t i = 0; i < a->outputs.size(); ++i) {
    const Tensor &x = a->outputs[i], &y = b->outputs[i];
    INFO("output " << a->names[i]);
    REQUIRE(x.dims == y.dims);
    REQUIRE(x.type == y.type);
    CHECK(std::memcmp(x.data->data(), y.data->data(), x.data->size()) == 0);
  }
}

// A second run finds nothing, says the same and writes the same bytes.
inline void idempotent(const RewriteOutcome& outcome, const RewriteRequest& request = always()) {
  const RewriteOutcome again = pad(outcome.model, request);
  CHECK_FALSE(again.changed);
  CHECK(reasons(again) == reasons(outcome));
  const Result<std::string> first = serialise(outcome.model), second = serialise(again.model);
  REQUIRE(first);
  REQUIRE(second);
  CHECK((*first == *second));
}

// Pads, checks the padded extents of some values, the bits and that it was all there was to do.
inline RewriteOutcome pads(const std::string& text, const std::map<std::string, Shape>& wanted,
                           const RewriteRequest& request = always()) {
  const Model before = model(text);
  RewriteOutcome outcome = pad(before, request);
  const std::map<std::string, Shape> found = shapes(outcome.model);
  for (const auto& [name, shape] : wanted) {
    INFO("value " << name);
    REQUIRE(found.contains(name));
    CHECK(found.at(name) == shape);
  }
  CHECK(outcome.changed);
  CHECK(outcome.safety == Safety::close);
  same_bits(before, outcome.model);
  idempotent(outcome, request);
  return outcome;
}

// Nothing changes and `reason` is among the words.
inline RewriteOutcome refuses(const std::string& text, const std::string& reason,
                              const RewriteRequest& request = always()) {
  const Model before = model(text);
  RewriteOutcome outcome = pad(before, request);
  std::string words;
  for (const RewriteStage& stage : outcome.stages) {
    for (const Refusal& refusal : stage.output.refused) words += refusal.reason + ": " + refusal.detail + "\n";
  }
  INFO(words);
  CHECK_FALSE(outcome.changed);
  CHECK(refused_with(outcome, reason));
  return outcome;
}

}  // namespace aegis::lab
