#include "model/order.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>

namespace aegis {
namespace {

using Read = std::pair<std::size_t, ValueId>;  // the producer's position, the value

// Positions of a scope's nodes: by subtraction where ids are in a row, as a loader gives them.
class Positions {
 public:
  explicit Positions(const std::vector<NodeId>& nodes)
      : first_(nodes.empty() ? 0 : index(nodes[0])), count_(nodes.size()) {
    for (std::size_t i = 0; i < nodes.size() && row_; ++i) row_ = index(nodes[i]) == first_ + i;
    if (row_) return;
    places_.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) places_.emplace(index(nodes[i]), i);
  }
  std::optional<std::size_t> of(NodeId node) const {
    if (row_)
      return index(node) >= first_ && index(node) - first_ < count_ ? std::optional(index(node) - first_)
                                                                    : std::nullopt;
    const auto it = places_.find(index(node));
    return it == places_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  std::size_t first_, count_;
  bool row_ = true;
  std::unordered_map<std::size_t, std::size_t> places_;
};

// For every node, the nodes of its own scope that it reads from, itself or through its bodies; by position, each once.
class Dependencies {
 public:
  Dependencies(const Model& model, const Scope& scope);
  std::span<const Read> of(std::size_t position) const {
    return std::span(reads_).subspan(begin_[position], begin_[position + 1] - begin_[position]);
  }

 private:
  std::vector<Read> reads_;
  std::vector<std::size_t> begin_;  // of each node's reads, and past the last one's
};

Dependencies::Dependencies(const Model& model, const Scope& scope) {
  const Positions positions(scope.nodes);
  const auto values = model.values();
  begin_.reserve(scope.nodes.size() + 1);
  std::vector<NodeId> open;  // a node and all nodes of its bodies
  for (const NodeId id : scope.nodes) {
    begin_.push_back(reads_.size());
    open.push_back(id);
    while (!open.empty()) {
      const Node& node = model.node(open.back());
      open.pop_back();
      const auto read = [&](ValueId in) {
        if (in == ValueId::none) return;
        const Value& value = values[index(in)];
        if (value.scope != scope.id || value.producer == NodeId::none) return;
        if (const auto at = positions.of(value.producer)) reads_.emplace_back(*at, in);
      };
      for (const ValueId in : node.inputs) read(in);
      for (const ScopeId body : node.bodies) {
        const Scope& inner = model.scope(body);
        for (const ValueId out : inner.outputs) read(out);
        open.insert(open.end(), inner.nodes.begin(), inner.nodes.end());
      }
    }
    const auto own = reads_.begin() + static_cast<std::ptrdiff_t>(begin_.back());
    std::sort(own, reads_.end());
    const auto same = [](const Read& a, const Read& b) { return a.first == b.first; };
    reads_.erase(std::unique(own, reads_.end(), same), reads_.end());
  }
  begin_.push_back(reads_.size());
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
  for (std::size_t i = 0; i < count; ++i)
    if (!reads.of(i).empty() && reads.of(i).back().first >= i)
      out.early.emplace_back(scope.nodes[i], reads.of(i).back().second);
  if (out.early.empty()) {
    out.nodes = scope.nodes;
    return out;
  }
  std::vector<std::size_t> waits(count);
  std::vector<std::vector<std::size_t>> readers(count);
  for (std::size_t i = 0; i < count; ++i) {
    waits[i] = reads.of(i).size();
    for (const auto& [producer, value] : reads.of(i)) readers[producer].push_back(i);
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
