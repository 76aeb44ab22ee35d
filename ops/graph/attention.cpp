#include "ops/graph/attention.hpp"

#include <algorithm>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

constexpr int longest_way = 16;  // nodes between a product and the Softmax
constexpr int most_steps = 256;  // of one search, over all branches

bool is(const Node& node, std::string_view op) { return node.op == op && node.domain.empty(); }

struct Finder {
  FactTable& table;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();

  NodeId producer(ValueId value) const { return value == ValueId::none ? NodeId::none : model.value(value).producer; }

  // A product of two activations.
  bool scores(NodeId id) const {
    if (id == NodeId::none || !is_gemm(model.node(id))) return false;
    const auto shape = gemm_shape(table, id);
    return shape && !structure.constant(shape->a) && !structure.constant(shape->b);
  }

  // The input that carries the scores through a node between product and Softmax; none: not such a node.
  std::vector<std::size_t> data_slots(const Node& node) const {
    if (is(node, "Add") || is(node, "Mul")) return {0, 1};
    if (is(node, "Where")) return {1, 2};
    for (const auto* op : {"Sub", "Div", "Cast", "Identity", "Reshape", "Dropout", "Clip", "Tanh", "Max", "Transpose"})
      if (is(node, op)) return {0};
    return {};
  }

  // Walks up from the scores to Q*K'; `way` gets the nodes passed, last one first.
  NodeId climb(ValueId from, std::vector<NodeId>& way, int left, int& steps) const {
    const NodeId id = producer(from);
    if (id == NodeId::none || left == 0 || --steps < 0) return NodeId::none;
    if (scores(id)) return id;
    const Node& node = model.node(id);
    for (const std::size_t slot : data_slots(node)) {
      if (slot >= node.inputs.size() || structure.constant(node.inputs[slot])) continue;
      const auto mark = way.size();
      way.push_back(id);
      if (const NodeId found = climb(node.inputs[slot], way, left - 1, steps); found != NodeId::none) return found;
      way.resize(mark);
    }
    return NodeId::none;
  }

  void scale_of(const Node& node, AttentionCore& core) const {
    if (!is(node, "Mul") && !is(node, "Div")) return;
    for (std::size_t slot = 0; slot < 2 && slot < node.inputs.size(); ++slot) {
      const auto elements = structure.elements(node.inputs[slot]);
      if (!elements || *elements != 1) continue;
      core.scales.push_back(node.id);
      const auto value = scalar(table, node.inputs[slot]);
      if (!value || (slot == 0 && is(node, "Div")))
        core.scale.reset();
      else if (core.scale)
        *core.scale *= is(node, "Div") ? 1 / *value : *value;
      return;
    }
  }

  // A scale that is applied to Q or K before the product.
  void scale_before(ValueId value, AttentionCore& core) const {
    for (int i = 0; i < 4; ++i) {
      const NodeId id = producer(value);
      if (id == NodeId::none) return;
      const Node& node = model.node(id);
      scale_of(node, core);
      if (!is(node, "Transpose") && !is(node, "Reshape") && !is(node, "Mul") && !is(node, "Div")) return;
      value = node.inputs.size() > 1 && structure.constant(node.inputs[0]) ? node.inputs[1] : node.inputs[0];
    }
  }

  std::optional<AttentionCore> find(const Node& softmax) const {
    AttentionCore core;
    core.softmax = softmax.id;
    core.scale = 1.0;
    std::vector<NodeId> way;
    if (softmax.inputs.empty() || softmax.outputs.empty()) return std::nullopt;
    int steps = most_steps;
    core.qk = climb(softmax.inputs[0], way, longest_way, steps);
    if (core.qk == NodeId::none) return std::nullopt;
    std::reverse(way.begin(), way.end());
    core.nodes.push_back(core.qk);
    core.nodes.insert(core.nodes.end(), way.begin(), way.end());
    core.nodes.push_back(softmax.id);
    for (const NodeId id : way) scale_of(model.node(id), core);

    ValueId at = softmax.outputs[0];
    for (int i = 0; i < longest_way; ++i) {
      const NodeId next = only_reader(model, at);
      if (next == NodeId::none) return std::nullopt;
      core.nodes.push_back(next);
      if (scores(next)) {
        const auto pv = gemm_shape(table, next);
        if (pv->a != at && pv->transpose == NodeId::none) return std::nullopt;
        core.pv = next;
        core.v = pv->b;
        core.y = pv->y;
        break;
      }
      const auto slots = data_slots(model.node(next));
      if (slots.empty() || model.node(next).outputs.empty()) return std::nullopt;
      at = model.node(next).outputs[0];
    }
    if (core.pv == NodeId::none) return std::nullopt;
    const auto qk = gemm_shape(table, core.qk);
    core.q = qk->a;
    core.k = qk->b;
    if (const Node& node = model.node(core.qk); has_attribute(node, "alpha") && core.scale)
      *core.scale *= static_cast<double>(attribute(node, "alpha", 1.0f));
    scale_before(core.q, core);
    scale_before(core.k, core);
    return core;
  }
};

}  // namespace

NodeId only_reader(const Model& model, ValueId value) {
  const auto& uses = model.value(value).uses;
  if (uses.size() != 1 || uses[0].node == NodeId::none) return NodeId::none;
  return uses[0].scope == model.value(value).scope ? uses[0].node : NodeId::none;
}

AttentionCores::AttentionCores(FactTable& table) {
  const Finder finder{table};
  for (const NodeId id : finder.structure.order()) {
    const Node& node = table.model().node(id);
    if (!is(node, "Softmax")) continue;
    auto core = finder.find(node);
    if (!core) continue;
    const bool taken = std::any_of(core->nodes.begin(), core->nodes.end(), [&](NodeId n) { return of(n) != nullptr; });
    if (taken) continue;
    for (const NodeId n : core->nodes) by_node_[n] = cores_.size();
    cores_.push_back(*std::move(core));
  }
}

const AttentionCore* AttentionCores::of(NodeId node) const {
  const auto it = by_node_.find(node);
  return it == by_node_.end() ? nullptr : &cores_[it->second];
}

}  // namespace aegis
