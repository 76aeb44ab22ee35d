#include "rewriter/recast/min_cut.hpp"

#include <algorithm>

namespace aegis::recast {

int MinCut::add_vertex() {
  edges_of_.emplace_back();
  return static_cast<int>(edges_of_.size()) - 1;
}

void MinCut::add_edge(int from, int to, Cost capacity) {
  if (from == to) return;
  edges_of_[static_cast<std::size_t>(from)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({to, capacity});
  edges_of_[static_cast<std::size_t>(to)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({from, Cost{}});
}

// Distances from the source over edges with capacity left; true when the sink is reached.
bool MinCut::level(int source, int sink) {
  level_.assign(edges_of_.size(), -1);
  level_[static_cast<std::size_t>(source)] = 0;
  std::vector<int> queue{source};
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const auto vertex = static_cast<std::size_t>(queue[at]);
    for (const int id : edges_of_[vertex]) {
      const Edge& edge = edges_[static_cast<std::size_t>(id)];
      const auto to = static_cast<std::size_t>(edge.to);
      if (level_[to] >= 0 || edge.left <= Cost{}) continue;
      level_[to] = level_[vertex] + 1;
      queue.push_back(edge.to);
    }
  }
  return level_[static_cast<std::size_t>(sink)] >= 0;
}

// One blocking flow, by a walk that keeps its path: chains of a model are too long for recursion.
void MinCut::augment(int source, int sink) {
  next_.assign(edges_of_.size(), 0);
  std::vector<int> path;  // edges from the source to `vertex`
  int vertex = source;
  while (true) {
    if (vertex == sink) {
      Cost flow = unlimited;
      for (const int id : path) flow = std::min(flow, edges_[static_cast<std::size_t>(id)].left);
      std::size_t keep = path.size();
      for (std::size_t i = path.size(); i-- > 0;) {
        Edge& edge = edges_[static_cast<std::size_t>(path[i])];
        Edge& back = edges_[static_cast<std::size_t>(path[i] ^ 1)];
        edge.left = edge.left - flow;
        back.left = back.left + flow;
        if (edge.left <= Cost{}) keep = i;
      }
      path.resize(keep);
      vertex = path.empty() ? source : edges_[static_cast<std::size_t>(path.back())].to;
      continue;
    }
    auto& next = next_[static_cast<std::size_t>(vertex)];
    const auto& edges = edges_of_[static_cast<std::size_t>(vertex)];
    bool stepped = false;
    for (; next < edges.size(); ++next) {
      const Edge& edge = edges_[static_cast<std::size_t>(edges[next])];
      if (edge.left > Cost{} &&
          level_[static_cast<std::size_t>(edge.to)] == level_[static_cast<std::size_t>(vertex)] + 1) {
        path.push_back(edges[next]);
        vertex = edge.to;
        stepped = true;
        break;
      }
    }
    if (stepped) continue;
    if (path.empty()) return;
    const int back = path.back();
    path.pop_back();
    vertex = edges_[static_cast<std::size_t>(back ^ 1)].to;
    ++next_[static_cast<std::size_t>(vertex)];
  }
}

std::vector<char> MinCut::solve(int source, int sink) {
  while (level(source, sink)) augment(source, sink);
  std::vector<char> side(edges_of_.size(), 0);
  for (std::size_t i = 0; i < side.size(); ++i) side[i] = level_[i] >= 0;
  return side;
}

}  // namespace aegis::recast
