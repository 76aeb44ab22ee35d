// How long would a validation take on the CPU engine? Counted work over rates of one core that a plain blocked kernel
// reaches or beats on any x86-64 server of the last ten years; the answer is meant to be right within a factor of a few
// and to err towards too long.
#include <algorithm>

#include "model/attribute.hpp"
#include "ops/op.hpp"
#include "validator/inputs/read_inputs.hpp"
#include "validator/validate.hpp"

namespace aegis {
namespace {

constexpr double flops_per_second = 8e9;     // products and convolutions, f32 sums in fixed order
constexpr double elements_per_second = 3e8;  // everything else, per element read or written
constexpr double node_seconds = 5e-6;        // a node, however small

std::optional<double> elements(const TypeTable& types, ValueId id) {
  if (id == ValueId::none) return 0.0;
  const auto count = types.of(id).elements();
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

// Two per multiply-add.
std::optional<double> product_flops(const Node& node, const TypeTable& types, CostClass kind) {
  if (node.inputs.size() < 2 || node.outputs.empty() || node.inputs[0] == ValueId::none ||
      node.inputs[1] == ValueId::none)
    return std::nullopt;
  const auto a = types.of(node.inputs[0]).shape(), b = types.of(node.inputs[1]).shape();
  const auto out = elements(types, node.outputs[0]);
  if (!a || !b || !out || a->empty() || b->empty()) return std::nullopt;
  if (kind == CostClass::conv) {
    const double per_filter =
        static_cast<double>(element_count(*b)) / static_cast<double>(std::max<std::int64_t>(1, b->front()));
    const bool transposed = node.op == "ConvTranspose";
    return 2 * per_filter * (transposed ? static_cast<double>(element_count(*a)) : *out);
  }
  const bool flipped = node.op == "Gemm" && attribute(node, "transA", std::int64_t{0}) != 0;
  return 2 * *out * static_cast<double>(flipped ? a->front() : a->back());
}

std::optional<double> seconds_of(const Model& model, const Node& node, const TypeTable& types) {
  const Op* op = find_op(node.domain, node.op);
  const CostClass kind = op ? op->cost.kind : CostClass::unknown;
  if (node.op == "Loop" || node.op == "Scan") return std::nullopt;  // as often as the data says
  double seconds = node_seconds;
  if (kind == CostClass::gemm || kind == CostClass::conv) {
    const auto flops = product_flops(node, types, kind);
    if (!flops) return std::nullopt;
    seconds += *flops / flops_per_second;
  }
  double moved = 0;
  for (const auto& list : {node.inputs, node.outputs})
    for (const ValueId id : list) {
      if (id != ValueId::none && model.constant(id)) continue;
      const auto count = elements(types, id);
      if (!count) return std::nullopt;
      moved += *count;
    }
  const double per_element = op ? std::max(1.0, op->cost.flops / 4) : 1.0;
  return seconds + moved * per_element / elements_per_second;
}

std::optional<double> seconds_of(const Model& model, const Binding& binding) {
  const TypeTable types = infer(model, binding);
  double sum = 0;
  for (const Node& node : model.nodes()) {
    if (!node.alive || model.scope(node.scope).kind == ScopeKind::function) continue;
    const auto seconds = seconds_of(model, node, types);
    if (!seconds) return std::nullopt;
    sum += *seconds;
  }
  return sum;
}

}  // namespace

std::optional<double> estimate_cpu_seconds(const Model& before, const Model& after, const ValidateOptions& options) {
  Binding binding = options.binding;
  double sets = std::max(1, options.sets);
  if (!options.inputs.empty()) {
    // The user's data says how much there is of it. What is wrong with it is for validate() to say.
    binding.assume = false;
    const auto specs = input_specs(before, infer(before, binding));
    const auto feeds = specs ? read_inputs(options.inputs, *specs) : Result<FeedSets>(specs.error());
    if (feeds) {
      sets = static_cast<double>(feeds->sets.size());
      for (const InputUsed& input : feeds->used) binding.shapes[input.name] = input.shape;
    }
  }
  binding.assume = true;
  const auto a = seconds_of(before, binding), b = seconds_of(after, binding);
  if (!a || !b) return std::nullopt;
  return (*a + *b) * sets;
}

}  // namespace aegis
