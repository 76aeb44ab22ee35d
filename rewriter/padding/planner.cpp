#include "rewriter/padding/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rewriter/padding/emit.hpp"
#include "rewriter/padding/gate.hpp"
#include "rewriter/padding/row.hpp"
#include "rewriter/padding/spread.hpp"

namespace aegis::padding {
namespace {

constexpr std::size_t max_trials = 64;

class Planner {
 public:
  Planner(const ClassGraph& graph, const std::vector<Want>& wants, const PassInput& input,
          const std::map<Point, Reason>& excluded)
      : graph_(graph), wants_(wants), input_(input), excluded_(excluded) {
    for (const Want& want : wants) multiples_[want.root] = want.multiple;
  }

  // Round after round, since one class that grew may clear the way for another; the refusals are those of the last
  // round.
  PaddingPlan run() {
    std::size_t padded = 0;
    do {
      padded = plan_.padded.size();
      plan_.refused.clear();
      for (const Want& want : wants_) serve(want);
    } while (plan_.padded.size() != padded);
    return std::move(plan_);
  }

 private:
  std::int64_t extent_of(Point c) const {
    const auto map = plan_.settled.maps.find(c);
    return map != plan_.settled.maps.end() ? map->second.total() : graph_.extent(graph_.members(c)[0]);
  }

  bool aligned(const Want& want) const { return extent_of(want.root) % want.multiple == 0; }

  // A whole that only some of its parts could align stays as it is; the parts may have wants of their own.
  void serve(const Want& want) {
    if (aligned(want)) return;
    const PaddingPlan before = plan_;
    std::vector<Reason> reasons;
    for (const Point root : roots_of(graph_, want.root)) {
      if (aligned(want)) break;
      if (std::optional<Reason> reason = attempt(root, want.multiple); reason && !reason->word.empty())
        reasons.push_back(*reason);
    }
    if (aligned(want) && keep_aligned(before)) return;
    plan_ = before;
    if (reasons.empty())
      reasons.push_back({want.node, "cut_segment", "an axis that is made of this one would lose its alignment"});
    refuse(want, reasons);
  }

  // Wanted axes that were multiples and, made of what grew, are none any more: their other parts grow with it.
  bool keep_aligned(const PaddingPlan& before) {
    for (int round = 0; round < 8; ++round) {
      std::vector<Want> lost;
      for (const Want& want : wants_) {
        const auto map = before.settled.maps.find(want.root);
        const std::int64_t was =
            map != before.settled.maps.end() ? map->second.total() : graph_.extent(graph_.members(want.root)[0]);
        if (was % want.multiple == 0 && !aligned(want)) lost.push_back(want);
      }
      if (lost.empty()) return true;
      const std::size_t padded = plan_.padded.size();
      for (const Want& want : lost) {
        for (const Point root : roots_of(graph_, want.root)) (void)attempt(root, want.multiple);
      }
      if (plan_.padded.size() == padded) return false;
    }
    return false;
  }

  void refuse(const Want& want, const std::vector<Reason>& reasons) {
    const std::string axis = fmt::format("{} = {} of {} is no multiple of {}", want.axis, extent_of(want.root),
                                         label(graph_.model(), want.node), want.multiple);
    Refusal refusal{.pass = "pad_dims", .reason = "cut_segment", .detail = axis, .node = want.node};
    const auto other = [&](const Reason& r) { return r.word != reasons.front().word; };
    if (!reasons.empty() && std::none_of(reasons.begin(), reasons.end(), other)) {
      refusal.reason = reasons.front().word;
      refusal.node = reasons.front().node == NodeId::none ? want.node : reasons.front().node;
      refusal.detail += fmt::format(": {} at {}", reasons.front().detail, label(graph_.model(), refusal.node));
    } else if (!reasons.empty()) {
      refusal.detail += ", and it is made of several axes:";
      for (const Reason& reason : reasons) refusal.detail += fmt::format(" {} ({});", reason.word, reason.detail);
      refusal.detail.pop_back();
    }
    plan_.refused.push_back(std::move(refusal));
  }

  // Nullopt: settled. An empty word: nothing to do.
  std::optional<Reason> attempt(Point root, std::int64_t multiple) {
    const Spread spread(graph_, root, multiples_, multiple);
    if (std::optional<Reason> blocked = barrier(spread.classes())) return blocked;
    if (const auto left = excluded_.find(root); left != excluded_.end()) return left->second;
    const std::int64_t extent = graph_.extent(graph_.members(root)[0]);
    if (extent < 1) return Reason{NodeId::none, "unknown_dim", "the extent is not fixed"};
    if (extent == 1) return Reason{NodeId::none, "dim_one", "a part of extent 1"};
    if (spread.aligned(plan_.settled.maps)) return Reason{};
    if (plan_.settled.maps.contains(root))
      return Reason{NodeId::none, "conflict", "users of the axis want different multiples"};
    const std::optional<std::map<Point, LaneMap>> maps = spread.maps(plan_.settled.maps);
    if (!maps)
      return Reason{NodeId::none, "cut_segment",
                    "the axes that are made of this one do not agree on where padding goes"};

    const std::vector<Border> borders = borders_of(spread.classes());
    for (const Border& border : borders) {
      const Node& maker = graph_.model().node(graph_.model().value(border.value).producer);
      const Point point = graph_.output(maker, output_slot(maker, border.value), border.axis);
      if (!maps->at(graph_.find(point)).suffix_only()) {
        return Reason{maker.id, "output_map", "a graph output would have padding between its lanes"};
      }
    }
    const std::vector<NodeId> nodes = nodes_touching(graph_, spread.classes());
    Settled next;
    if (std::optional<Reason> reason = find_fills(*maps, nodes, next)) return reason;
    if (std::optional<Reason> reason = corners(nodes, next)) return reason;
    if (std::optional<Reason> reason = check_edits(graph_, next, nodes)) return reason;
    const GateInput gate{.graph = &graph_, .before = &plan_.settled, .after = &next, .nodes = nodes};
    if (std::optional<Reason> reason = over_limits(gate, input_.padding)) return reason;
    plan_.settled = std::move(next);
    plan_.padded.push_back({root, extent, maps->at(root).total(), spread.classes(), borders});
    return std::nullopt;
  }

  std::vector<Border> borders_of(const std::vector<Point>& classes) const {
    std::vector<Border> out;
    for (const Point c : classes) {
      for (const Point point : graph_.members(c)) {
        const PointInfo& info = graph_.info(point);
        if (info.value == ValueId::none || info.user != NodeId::none) continue;
        if (graph_.model().value(info.value).output) out.push_back({info.value, info.axis});
      }
    }
    return out;
  }

  static std::size_t output_slot(const Node& node, ValueId value) {
    return static_cast<std::size_t>(std::find(node.outputs.begin(), node.outputs.end(), value) - node.outputs.begin());
  }

  std::optional<Reason> barrier(const std::vector<Point>& classes) const {
    for (const Point c : classes) {
      for (const std::size_t i : graph_.barriers_of(c)) {
        return Reason{graph_.barrier(i).node, graph_.barrier(i).reason, graph_.barrier(i).detail};
      }
    }
    return std::nullopt;
  }

  // Zero in every padding lane first; where that breaks, other constants in the biases of the class.
  std::optional<Reason> find_fills(const std::map<Point, LaneMap>& maps, const std::vector<NodeId>& nodes,
                                   Settled& next) const {
    std::vector<UseKey> biases;
    std::optional<Reason> first = run_trial(maps, nodes, BiasFill::zero, {}, next, &biases);
    if (!first || biases.empty()) return first;
    for (const BiasFill fill : {BiasFill::one, BiasFill::lowest}) {
      if (!run_trial(maps, nodes, fill, {}, next, nullptr)) return std::nullopt;
    }
    std::size_t trials = 0;
    for (const BiasFill fill : {BiasFill::one, BiasFill::lowest}) {
      for (const UseKey& use : biases) {
        if (biases.size() < 2 || ++trials > max_trials) break;
        if (!run_trial(maps, nodes, BiasFill::zero, {{use, fill}}, next, nullptr)) return std::nullopt;
      }
    }
    return first;
  }

  std::optional<Reason> run_trial(const std::map<Point, LaneMap>& maps, const std::vector<NodeId>& nodes, BiasFill all,
                                  std::map<UseKey, BiasFill> single, Settled& next, std::vector<UseKey>* biases) const {
    Trial trial(graph_, input_.evaluator, input_.compute, plan_.settled);
    trial.assume(all, std::move(single));
    trial.changes().maps = maps;
    for (const NodeId id : nodes) {
      const Node& node = graph_.model().node(id);
      row_of(graph_.model(), node)->lanes(trial, node);
      if (trial.refusal()) break;
    }
    if (biases != nullptr) *biases = trial.biases();
    if (trial.refusal()) return trial.refusal();
    next = plan_.settled;
    for (const auto& [c, map] : trial.changes().maps) next.maps[c] = map;
    for (const auto& [point, lane] : trial.changes().lanes) next.lanes[point] = lane;
    for (const auto& [use, fill] : trial.changes().fills) next.fills.try_emplace(use, fill);
    next.same_bits = next.same_bits && trial.changes().same_bits;
    return std::nullopt;
  }

  // Where two axes of a value are padded, each one's lanes hold only if both are zero.
  std::optional<Reason> corners(const std::vector<NodeId>& nodes, const Settled& next) const {
    for (const NodeId id : nodes) {
      const Node& node = graph_.model().node(id);
      for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
        int padded = 0;
        bool zero = true;
        for (int axis = 0; axis < graph_.output_rank(node, slot); ++axis) {
          const Point point = graph_.output(node, slot, axis);
          if (point == no_point || !next.maps.contains(graph_.find(point))) continue;
          ++padded;
          const auto lane = next.lanes.find(point);
          zero = zero && lane != next.lanes.end() && lane->second.zero();
        }
        if (padded > 1 && !zero) return Reason{id, "lane_mixing", "two padded axes of one value meet"};
      }
    }
    return std::nullopt;
  }

  const ClassGraph& graph_;
  const std::vector<Want>& wants_;
  const PassInput& input_;
  const std::map<Point, Reason>& excluded_;
  std::map<Point, std::int64_t> multiples_;
  PaddingPlan plan_;
};

}  // namespace

std::vector<NodeId> nodes_touching(const ClassGraph& graph, const std::vector<Point>& classes) {
  std::set<NodeId> touched;
  for (const Point c : classes) touched.insert(graph.nodes_of(c).begin(), graph.nodes_of(c).end());
  std::vector<NodeId> out;
  for (const Scope& scope : graph.model().scopes()) {
    if (touched.empty()) break;
    for (const NodeId node : scope.nodes) {
      if (touched.contains(node)) out.push_back(node);
    }
  }
  return out;
}

PaddingPlan plan_padding(const ClassGraph& graph, const std::vector<Want>& wants, const PassInput& input,
                         const std::map<Point, Reason>& excluded) {
  return Planner(graph, wants, input, excluded).run();
}

}  // namespace aegis::padding
