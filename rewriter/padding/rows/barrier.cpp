// Operators that read extents, pick lanes by index or hold bodies: no axis of theirs may grow.
#include <algorithm>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (!node.bodies.empty()) return graph.block_all(node, "control_flow", "the value crosses the border of a body");
  if (node.op == "Size") return graph.block_all(node, "shape_read", "the number of elements is read");
  graph.block_all(node, "lane_mixing", "lanes of its axes are counted or picked by index");
}

void lanes(Trial&, const Node&) {}

// ---- Shape: what it says of the original extents may be kept as a constant.

bool known(const ClassGraph& graph, const Node& node) {
  const TypeTable& types = graph.types();
  for (const ValueId output : node.outputs) {
    if (output == ValueId::none) continue;
    const bool numbers = index(output) < types.has_known.size() && types.has_known[index(output)];
    if (!numbers || graph.model().value(output).output || types.of(output).dtype != DType::i64) return false;
  }
  return true;
}

// The nodes to fold so that nobody reads the grown extents: the Shape itself, or all its readers. Nullopt: some reader
// mixes them with extents that are not fixed.
std::optional<std::vector<NodeId>> foldable(const ClassGraph& graph, const Node& node) {
  if (known(graph, node)) return std::vector{node.id};
  std::vector<NodeId> readers;
  const Value& shape = graph.model().value(node.outputs[0]);
  if (shape.output) return std::nullopt;
  for (const Use& use : shape.uses) {
    if (use.node == NodeId::none || !known(graph, graph.model().node(use.node))) return std::nullopt;
    if (std::find(readers.begin(), readers.end(), use.node) == readers.end()) readers.push_back(use.node);
  }
  return readers;
}

template <class Visit>
void read_axes(const ClassGraph& graph, const Node& node, Visit visit) {
  const int rank = graph.input_rank(node, 0);
  const auto bound = [&](std::string_view name, std::int64_t otherwise) {
    const std::int64_t at = attribute(node, name, otherwise);
    return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  for (std::int64_t axis = bound("start", 0); axis < bound("end", rank); ++axis)
    visit(graph.input(node, 0, static_cast<int>(axis)));
}

// Whether the readers only take out extents that are fixed is asked here, before anything is padded.
void shape_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (foldable(graph, node)) return;
  read_axes(graph, node, [&](Point point) { graph.block(point, node.id, "shape_read", "the extent is read"); });
}

void shape_edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  bool grown = false;
  read_axes(graph, node, [&](Point point) { grown = grown || editor.padded(point); });
  if (!grown) return;
  const std::optional<std::vector<NodeId>> folded = foldable(graph, node);
  if (!folded) return editor.fail(node, "shape_read", "the extent is read");
  for (const NodeId id : *folded) editor.fold(graph.model().node(id));
}

}  // namespace

const Row rows::barrier = {.connect = connect, .lanes = lanes, .edit = nullptr};
const Row rows::shape_reader = {.connect = shape_connect, .lanes = lanes, .edit = shape_edit};

}  // namespace aegis::padding
