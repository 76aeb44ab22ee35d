// Exact minimum cut with costs that are compared first by arithmetic and then by bytes.
//
// Pairs in lexicographic order are a totally ordered group under addition, and that is all that augmenting paths need:
// the result is the cut of least arithmetic and, among those, of least bytes. No large weight has to stand for "first".
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace aegis::recast {

struct Cost {
  std::int64_t flops = 0, bytes = 0;

  friend Cost operator+(Cost a, Cost b) { return {a.flops + b.flops, a.bytes + b.bytes}; }
  friend Cost operator-(Cost a, Cost b) { return {a.flops - b.flops, a.bytes - b.bytes}; }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

// A capacity that no cut of finite cost pays. Flows stay far below it.
inline constexpr Cost unlimited{std::int64_t{1} << 60, 0};

class MinCut {
 public:
  explicit MinCut(std::size_t vertices = 0) : edges_of_(vertices) {}

  int add_vertex();
  // Capacity from `from` to `to`; the other direction has none.
  void add_edge(int from, int to, Cost capacity);
  // For each vertex: 1 when it is on the source's side of the minimum cut with the fewest vertices on that side.
  std::vector<char> solve(int source, int sink);

 private:
  struct Edge {
    int to;
    Cost left;
  };
  bool level(int source, int sink);
  void augment(int source, int sink);

  std::vector<Edge> edges_;  // edge i and i ^ 1 are a pair
  std::vector<std::vector<int>> edges_of_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

}  // namespace aegis::recast
