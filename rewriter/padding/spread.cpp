#include "rewriter/padding/spread.hpp"

#include <algorithm>
#include <numeric>

namespace aegis::padding {

Spread::Spread(const ClassGraph& graph, Point root, const std::map<Point, std::int64_t>& multiples,
               std::int64_t multiple)
    : graph_(&graph), root_(root) {
  // `exact`: the class grows in proportion to the root, so its alignment can be had by choosing the root's extent.
  std::map<Point, bool> exact{{root, true}};
  classes_.push_back(root);
  const auto want = [&](Point c) {
    const auto found = multiples.find(c);
    return found == multiples.end() ? std::int64_t{0} : found->second;
  };
  if (want(root) > 0) aligned_[root] = want(root);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const Point part = classes_[i];
    for (const std::size_t edge : graph.part_of(part)) {
      const Point whole = graph.find(graph.derived(edge).whole);
      const bool product = graph.derived(edge).kind == Derived::Kind::product;
      if (!product && exact[part]) aligned_.try_emplace(part, multiple);
      if (exact.contains(whole)) continue;
      exact[whole] = product && exact[part];
      if (exact[whole] && want(whole) > 0) aligned_[whole] = want(whole);
      classes_.push_back(whole);
    }
  }
  if (aligned_.empty()) aligned_[root] = multiple;
}

bool Spread::aligned(const std::map<Point, LaneMap>& settled) const {
  return std::all_of(aligned_.begin(), aligned_.end(), [&](const auto& want) {
    const auto map = settled.find(want.first);
    const std::int64_t extent =
        map != settled.end() ? map->second.total() : graph_->extent(graph_->members(want.first)[0]);
    return extent % want.second == 0;
  });
}

std::optional<std::map<Point, LaneMap>> Spread::maps(const std::map<Point, LaneMap>& settled) const {
  const std::int64_t extent = graph_->extent(graph_->members(root_)[0]);
  std::int64_t step = 1;
  for (const auto& [c, multiple] : aligned_) step = std::lcm(step, multiple);
  for (std::int64_t to = extent + 1; to <= extent + step; ++to) {
    std::optional<std::map<Point, LaneMap>> found = try_extent(to, settled);
    if (!found) return std::nullopt;
    const bool fits = std::all_of(aligned_.begin(), aligned_.end(),
                                  [&](const auto& want) { return found->at(want.first).total() % want.second == 0; });
    if (fits) return found;
  }
  return std::nullopt;
}

std::optional<std::map<Point, LaneMap>> Spread::try_extent(std::int64_t extent,
                                                           const std::map<Point, LaneMap>& settled) const {
  const ClassGraph& graph = *graph_;
  std::map<Point, LaneMap> out{{root_, LaneMap::suffix(graph.extent(graph.members(root_)[0]), extent)}};
  // Wholes whose parts are all known, again and again until none is left; what is left then is a cycle.
  std::set<Point> open(classes_.begin(), classes_.end());
  open.erase(root_);
  for (bool moved = true; moved && !open.empty();) {
    moved = false;
    for (auto c = open.begin(); c != open.end();) {
      std::optional<LaneMap> map;
      bool ready = true, agree = true;
      for (const std::size_t edge : graph.whole_of(*c)) {
        const Derived& derived = graph.derived(edge);
        LaneMap made = derived.kind == Derived::Kind::product ? LaneMap::identity(1) : LaneMap();
        for (const Point point : derived.parts) {
          const Point part = graph.find(point);
          if (open.contains(part)) ready = false;
          const auto new_map = out.find(part);
          const auto old_map = settled.find(part);
          if (graph.extent(point) < 0) return std::nullopt;
          const LaneMap of_part = new_map != out.end()       ? new_map->second
                                  : old_map != settled.end() ? old_map->second
                                                             : LaneMap::identity(graph.extent(point));
          if (made.runs().size() * static_cast<std::size_t>(of_part.padded() ? made.valid() : 1) > 1u << 16)
            return std::nullopt;
          if (derived.kind == Derived::Kind::product) {
            made = made.times(of_part);
          } else {
            made.append(of_part);
          }
        }
        if (!ready) break;
        agree = agree && made.valid() == graph.extent(derived.whole) && (!map || *map == made);
        map = made;
      }
      if (!ready) {
        ++c;
        continue;
      }
      if (!agree || !map) return std::nullopt;
      out[*c] = *map;
      c = open.erase(c);
      moved = true;
    }
  }
  if (!open.empty()) return std::nullopt;
  return out;
}

namespace {

void collect_roots(const ClassGraph& graph, Point c, std::set<Point>& seen, std::vector<Point>& out) {
  if (!seen.insert(c).second) return;
  const std::vector<std::size_t>& edges = graph.whole_of(c);
  if (edges.empty()) {
    out.push_back(c);
    return;
  }
  const Derived& derived = graph.derived(edges.front());
  std::vector<Point> parts = derived.parts;
  if (derived.kind == Derived::Kind::product) std::reverse(parts.begin(), parts.end());
  for (const Point part : parts) collect_roots(graph, graph.find(part), seen, out);
}

}  // namespace

std::vector<Point> roots_of(const ClassGraph& graph, Point root) {
  std::set<Point> seen;
  std::vector<Point> out;
  collect_roots(graph, root, seen, out);
  return out;
}

}  // namespace aegis::padding
