#include "rewriter/recast/min_cut.hpp"

#include <catch2/catch_test_macros.hpp>

#include <random>

namespace aegis::recast {
namespace {

struct Capacity {
  int from, to;
  Cost cost;
};

Cost cut_cost(const std::vector<Capacity>& edges, unsigned source_side) {
  Cost sum;
  for (const Capacity& edge : edges) {
    if ((source_side >> edge.from & 1U) != 0 && (source_side >> edge.to & 1U) == 0) sum = sum + edge.cost;
  }
  return sum;
}

TEST_CASE("the cut is the cheapest of all, arithmetic before bytes, with the fewest vertices at the source") {
  std::mt19937 random(7);
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  for (int round = 0; round < 400; ++round) {
    const int vertices = 3 + pick(6);
    const int source = 0, sink = 1;
    std::vector<Capacity> edges;
    MinCut cut(static_cast<std::size_t>(vertices));
    for (int i = 0; i < 3 * vertices; ++i) {
      const Capacity edge{pick(vertices), pick(vertices), {pick(3), pick(4)}};
      edges.push_back(edge);
      cut.add_edge(edge.from, edge.to, edge.cost);
    }
    const std::vector<char> side = cut.solve(source, sink);
    unsigned chosen = 0;
    for (int i = 0; i < vertices; ++i) chosen |= static_cast<unsigned>(side[static_cast<std::size_t>(i)]) << i;
    REQUIRE((chosen & 1U) == 1U);
    REQUIRE((chosen & 2U) == 0U);
    for (unsigned other = 0; other < (1U << vertices); ++other) {
      if ((other & 3U) != 1U) continue;
      REQUIRE(cut_cost(edges, chosen) <= cut_cost(edges, other));
      if (cut_cost(edges, chosen) == cut_cost(edges, other)) REQUIRE((chosen & other) == chosen);
    }
  }
}

TEST_CASE("long chains neither recurse nor crawl") {
  constexpr int length = 100000;
  MinCut cut(length + 2);
  for (int i = 0; i < length; ++i) {
    if (i % 3 == 0) cut.add_edge(i, length + 1, {2, 0});
    if (i % 1000 == 999) cut.add_edge(length, i, unlimited);
    if (i > 0) cut.add_edge(i - 1, i, {0, 5});
    if (i > 0) cut.add_edge(i, i - 1, {0, 5});
  }
  const std::vector<char> side = cut.solve(length, length + 1);
  CHECK(side[999] == 1);
  CHECK(side[0] == 0);
}

}  // namespace
}  // namespace aegis::recast
