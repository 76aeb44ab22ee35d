// Operators that read extents, pick lanes by index or hold bodies: no axis of theirs may grow.
#include <algorithm>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (!node.bodies.empty()) return graph.block_all(node, "control_flow", "the value crosses the border of a body");
  if (node.op == "Size") return graph.block_all(node, "shape_read", "the number of elements is read");
  if (node.op != "Shape") return graph.block_all(node, "lane_mixing", "lanes of its axes are counted or picked by index");
  const int rank = graph.input_rank(node, 0);
  const auto bound = [&](std::string_view name, std::int64_t otherwise) {
    const std::int64_t at = attribute(node, name, otherwise);
    return at < 0 ? at + rank : at;
  };
  for (std::int64_t axis = std::max<std::int64_t>(bound("start", 0), 0); axis < bound("end", rank); ++axis) {
    graph.block(graph.input(node, 0, static_cast<int>(axis)), node.id, "shape_read", "the extent is read");
  }
}

void lanes(Trial&, const Node&) {}

}  // namespace

const Row rows::barrier = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
