// Einsum: axes of one label are one class. A label that the result does not have is contracted.
#include <map>

#include "model/attribute.hpp"
#include "rewriter/padding/equation.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const std::optional<Equation> equation = parse_equation(attribute(node, "equation", ""), node.inputs.size());
  if (!equation) return graph.block_all(node, "unknown_op", "this form of Einsum is not read");
  std::map<char, Point> first;
  const auto term = [&](const std::string& labels, bool input, std::size_t slot) {
    const int rank = input ? graph.input_rank(node, slot) : graph.output_rank(node, slot);
    if (rank != static_cast<int>(labels.size())) return false;
    for (int axis = 0; axis < rank; ++axis) {
      const char label = labels[static_cast<std::size_t>(axis)];
      const Point point = input ? graph.input(node, slot, axis) : graph.output(node, slot, axis);
      if (labels.find(label) != labels.rfind(label))
        graph.block(point, node.id, "repeated_label", "a diagonal is taken");
      const auto [seen, added] = first.try_emplace(label, point);
      if (!added) graph.join(seen->second, point, node);
    }
    return true;
  };
  bool fits = term(equation->result, false, 0);
  for (std::size_t slot = 0; slot < node.inputs.size(); ++slot)
    fits = term(equation->operands[slot], true, slot) && fits;
  if (!fits) graph.block_all(node, "unknown_dim", "the equation does not fit the ranks");
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const Equation equation = *parse_equation(attribute(node, "equation", ""), node.inputs.size());
  std::map<char, std::pair<bool, bool>> found;  // label -> (some operand is zero there, all are finite)
  for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
    const std::string& labels = equation.operands[slot];
    for (int axis = 0; axis < static_cast<int>(labels.size()); ++axis) {
      if (!trial.padded(graph.input(node, slot, axis))) continue;
      trial.fill(node, slot, 0);
      const Lane lane = trial.lane(node, slot, axis);
      auto [entry, added] = found.try_emplace(labels[static_cast<std::size_t>(axis)], false, true);
      entry->second.first = entry->second.first || lane.zero();
      entry->second.second = entry->second.second && lane.finite();
    }
  }
  for (const auto& [label, state] : found) {
    const std::size_t axis = equation.result.find(label);
    if (axis == std::string::npos) {
      if (!state.second)
        return trial.refuse(node, "nonfinite_lane", "padding lanes that may not be finite are multiplied");
      if (!state.first) return trial.refuse(node, "both_dynamic", "no operand is zero in the padding lanes");
    } else {
      const bool zero = state.first && state.second;
      trial.set(node, 0, static_cast<int>(axis), zero ? Lane::of(trial.output_type(node, 0), 0) : Lane::nonfinite());
    }
  }
}

}  // namespace

const Row rows::einsum = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
