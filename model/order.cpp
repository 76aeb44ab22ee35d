#include "model/order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

namespace aegis {
namespace {

// For every node, the nodes of its own scope that it reads from, itself or through its bodies; by position, each once.
class Dependencies {
 public:
  Dependencies(const Model& model, const Scope& scope);
  const std::vector<std::pair<std::size_t, ValueId>>& of(std::size_t position) const { return reads_[position]; }

 private:
  std::vector<std::vector<std::pair<std::size_t, ValueId>>> reads_;  // the producer's position, the value
};

Dependencies::Dependencies(const Model& model, const Scope& scope) : reads_(scope.nodes.size()) {
  std::unordered_map<std::size_t, std::size_t> position;
  position.reserve(scope.nodes.size());
  for (std::size_t i = 0; i < scope.nodes.size(); ++i) position.emplace(index(scope.nodes[i]), i);
  for (std::size_t i = 0; i < scope.nodes.size(); ++i) {
    std::vector<NodeId> open{scope.nodes[i]};  // the node and all nodes of its bodies
    while (!open.empty()) {
      const Node& node = model.node(open.back());
      open.pop_back();
      const auto read = [&](ValueId id) {
        if (id == ValueId::none) return;
        const Value& value = model.value(id);
        if (value.scope != scope.id || value.producer == NodeId::none) return;
        if (const auto it = position.find(index(value.producer)); it != position.end())
          reads_[i].emplace_back(it->second, id);
      };
      for (const ValueId id : node.inputs) read(id);
      for (const ScopeId body : node.bodies) {
        const Scope& inner = model.scope(body);
        for (const ValueId id : inner.outputs) read(id);
        open.insert(open.end(), inner.nodes.begin(), inner.nodes.end());
      }
    }
    std::ranges::sort(reads_[i]);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    reads_[i].erase(std::unique(reads_[i].begin(), reads_[i].end(), same), reads_[i].end());
  }
}

// Among nodes of which each waits for another of them, one circle.
std::vector<NodeId> find_circle(const Scope& scope, const Dependencies& reads, const std::vector<std::size_t>& waits) {
  std::size_t at = 0;
  while (waits[at] == 0) ++at;
  std::unordered_map<std::size_t, std::size_t> seen;  // position -> place in `path`
  std::vector<std::size_t> path;
  while (seen.emplace(at, path.size()).second) {
    path.push_back(at);
    at = std::ranges::find_if(reads.of(at), [&](const auto& read) { return waits[read.first] > 0; })->first;
  }
  path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(seen[at]));
  std::ranges::rotate(path, std::ranges::min_element(path));
  std::vector<NodeId> out;
  out.reserve(path.size());
  for (const std::size_t i : path) out.push_back(scope.nodes[i]);
  return out;
}

}  // namespace

DependencyOrder dependency_order(const Model& model, const Scope& scope) {
  const Dependencies reads(model, scope);
  const std::size_t count = scope.nodes.size();
  DependencyOrder out;
  std::vector<std::size_t> waits(count);
  std::vector<std::vector<std::size_t>> readers(count);
  for (std::size_t i = 0; i < count; ++i) {
    waits[i] = reads.of(i).size();
    for (const auto& [producer, value] : reads.of(i)) readers[producer].push_back(i);
    if (!reads.of(i).empty() && reads.of(i).back().first >= i)
      out.early.emplace_back(scope.nodes[i], reads.of(i).back().second);
  }
  // The first node in file order that can run comes next: a sorted file keeps its order.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < count; ++i)
    if (waits[i] == 0) ready.push(i);
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    out.nodes.push_back(scope.nodes[i]);
    for (const std::size_t reader : readers[i])
      if (--waits[reader] == 0) ready.push(reader);
  }
  if (out.nodes.size() < count) out.circle = find_circle(scope, reads, waits);
  return out;
}

}  // namespace aegis
