#include <algorithm>
#include <array>
#include <set>

#include "model/attribute.hpp"
#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

constexpr std::size_t limit = 256;  // nodes of one path

std::uint32_t sink_of(const FactTable& table, const Node& node, std::uint32_t slot) {
  if (!node.domain.empty()) return AEGIS_SINK_OTHER;
  const std::string_view op = node.op;
  if (op == "Cast") {
    const auto to = attribute(node, "to", std::int64_t{0});
    const bool integer = to == static_cast<int>(DType::i64) || to == static_cast<int>(DType::i32);
    const bool from_float = !node.inputs.empty() && is_float(table.types().of(node.inputs[0]).dtype);
    if (integer && from_float) return AEGIS_SINK_CAST_INT;
    return 0;
  }
  if ((op == "Resize" || op == "Upsample") && slot > 0) return AEGIS_SINK_RESIZE;
  if ((op == "Reshape" || op == "Expand" || op == "Tile" || op == "ConstantOfShape") &&
      (slot == 1 || op == "ConstantOfShape"))
    return AEGIS_SINK_RESHAPE;
  if ((op == "Slice" || op == "Pad" || op == "Split") && slot > 0) return AEGIS_SINK_SLICE;
  if (op == "Range") return AEGIS_SINK_RANGE;
  if (op == "Gather" && slot == 1) return AEGIS_SINK_GATHER;
  return 0;
}

struct Walk {
  FactTable& table;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();
  std::set<NodeId> nodes = {};
  std::uint32_t sinks = 0;

  // Forward to the nodes that take the value as a size or an index.
  void down(ValueId value) {
    for (const Use& use : model.value(value).uses) {
      if (use.node == NodeId::none) {
        sinks |= AEGIS_SINK_OTHER;
        continue;
      }
      const Node& node = model.node(use.node);
      const std::uint32_t sink = sink_of(table, node, use.slot);
      sinks |= sink;
      if (sink != 0 && sink != AEGIS_SINK_CAST_INT) continue;
      if (structure.role(use.node) != NodeRole::host) {
        if (sink == 0) sinks |= AEGIS_SINK_OTHER;
        continue;
      }
      if (nodes.size() < limit && nodes.insert(use.node).second)
        for (const ValueId out : node.outputs)
          if (out != ValueId::none) down(out);
    }
  }

  // Back to the root; the length of the way.
  std::uint32_t up(ValueId value, ValueId& root, bool& shape) {
    const NodeId producer = model.value(value).producer;
    if (producer == NodeId::none || structure.constant(value)) return root = value, 0;
    if (!structure.host(value)) return root = value, 0;
    nodes.insert(producer);
    const Node& node = model.node(producer);
    if (node.op == "Shape" || node.op == "Size") {
      shape = true;
      return root = node.inputs.empty() ? value : node.inputs[0], 1;
    }
    std::uint32_t longest = 0;
    for (const ValueId in : node.inputs) {
      if (in == ValueId::none || structure.constant(in) || nodes.size() >= limit) continue;
      ValueId from = ValueId::none;
      if (const auto length = up(in, from, shape); length >= longest) longest = length, root = from;
    }
    return longest + 1;
  }
};

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const auto& structure = table.analysis<Structure>();
  if (!structure.host(id)) return nullptr;
  Walk walk{table};
  ValueId root = id;
  bool shape = false;
  auto* fact = table.make<aegis_shape_path>();
  fact->length = walk.up(id, root, shape);
  walk.down(id);
  fact->host_side = 1;
  fact->sinks = walk.sinks;
  fact->root = handle(root);
  fact->rooted_in_shape = shape ? AEGIS_YES : AEGIS_NO;
  std::vector<NodeId> nodes(walk.nodes.begin(), walk.nodes.end());
  std::sort(nodes.begin(), nodes.end(),
            [&](NodeId a, NodeId b) { return structure.position(a) < structure.position(b); });
  fact->nodes = table.nodes(nodes);
  return fact;
}

}  // namespace

AEGIS_FACT(shape_path) = {.id = AEGIS_FACT_SHAPE_PATH, .of_value = of_value};
