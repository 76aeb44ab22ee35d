#include "exec/plan/liveness.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace aegis {
namespace {

// True when `scope` is `outer` or lies inside it.
bool within(const Model& model, ScopeId scope, ScopeId outer) {
  for (; scope != ScopeId::none; scope = model.scope(scope).parent)
    if (scope == outer) return true;
  return false;
}

void capture(const Model& model, ScopeId scope, ScopeId outer, std::set<ValueId>& found) {
  const auto note = [&](ValueId value) {
    if (value != ValueId::none && !within(model, model.value(value).scope, outer)) found.insert(value);
  };
  for (const NodeId id : model.scope(scope).nodes) {
    const Node& node = model.node(id);
    if (!node.alive) continue;
    for (const ValueId input : node.inputs) note(input);
    for (const ScopeId body : node.bodies) capture(model, body, outer, found);
  }
  for (const ValueId output : model.scope(scope).outputs) note(output);
}

// Files in the wild hold nodes before the nodes they read from. File order is kept wherever it is an order of
// execution.
std::vector<NodeId> sorted_nodes(const Model& model, ScopeId scope) {
  enum class Mark : std::uint8_t { none, open, done };
  std::vector<NodeId> sorted;
  std::map<NodeId, Mark> marks;
  std::vector<NodeId> stack;
  for (const NodeId first : model.scope(scope).nodes) {
    if (!model.node(first).alive || marks[first] == Mark::done) continue;
    stack.push_back(first);
    while (!stack.empty()) {
      const NodeId id = stack.back();
      Mark& mark = marks[id];
      if (mark == Mark::none) {
        mark = Mark::open;
        std::set<ValueId> read;
        for (const ValueId input : model.node(id).inputs)
          if (input != ValueId::none) read.insert(input);
        for (const ScopeId body : model.node(id).bodies) capture(model, body, body, read);
        for (const ValueId value : read) {
          const NodeId producer = model.value(value).producer;
          if (producer == NodeId::none || model.node(producer).scope != scope || !model.node(producer).alive) continue;
          if (marks[producer] == Mark::none)
            stack.push_back(producer);  // a circle ends at an open node; the run names it
        }
        if (stack.back() != id) continue;
      }
      stack.pop_back();
      if (mark == Mark::done) continue;
      mark = Mark::done;
      sorted.push_back(id);
    }
  }
  return sorted;
}

}  // namespace

ScopeOrder order_of(const Model& model, ScopeId scope) {
  ScopeOrder order;
  std::map<NodeId, std::size_t> position;
  order.nodes = sorted_nodes(model, scope);
  for (std::size_t i = 0; i < order.nodes.size(); ++i) position[order.nodes[i]] = i;
  order.release.resize(order.nodes.size());

  // The node of this scope in which a use lies: bodies count for their owner.
  const auto owner_here = [&](NodeId node) {
    while (node != NodeId::none && model.node(node).scope != scope) node = model.scope(model.node(node).scope).owner;
    return node;
  };
  const auto note = [&](ValueId value, std::size_t made_at) {
    std::size_t last = made_at;
    for (const Use& use : model.value(value).uses) {
      NodeId reader = use.node;
      if (reader == NodeId::none) {
        if (use.scope == scope) return;  // an output of this scope
        reader = model.scope(use.scope).owner;
      }
      const auto at = position.find(owner_here(reader));
      if (at != position.end()) last = std::max(last, at->second);
    }
    if (last < order.release.size()) order.release[last].push_back(value);
  };
  for (const ValueId input : model.scope(scope).inputs) note(input, 0);
  for (std::size_t i = 0; i < order.nodes.size(); ++i)
    for (const ValueId output : model.node(order.nodes[i]).outputs)
      if (output != ValueId::none) note(output, i);

  std::set<ValueId> captured;
  capture(model, scope, scope, captured);
  order.captured.assign(captured.begin(), captured.end());
  return order;
}

}  // namespace aegis
