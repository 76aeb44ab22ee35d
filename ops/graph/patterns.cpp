#include "ops/graph/patterns.hpp"

#include <algorithm>
#include <set>

#include "ops/graph/attention.hpp"
#include "ops/graph/norms.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

// Is an inner value of the pattern read outside?
bool inner_used(const Model& model, const PatternInstance& p) {
  const std::set<NodeId> inside(p.nodes.begin(), p.nodes.end());
  for (const NodeId id : p.nodes)
    for (const ValueId out : model.node(id).outputs) {
      if (out == ValueId::none || out == p.out) continue;
      for (const Use& use : model.value(out).uses)
        if (!inside.contains(use.node)) return true;
    }
  return false;
}

}  // namespace

Patterns::Patterns(FactTable& table) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  for (const NodeId id : structure.order())
    if (auto found = match_norm(table, id)) all_.push_back(*std::move(found));
  for (const auto& core : table.analysis<AttentionCores>().all()) {
    PatternInstance p{.kind = AEGIS_PATTERN_ATTENTION, .flags = AEGIS_PATTERN_COMPLETE, .anchor = core.qk};
    p.nodes = core.nodes;
    p.in = core.q;
    p.out = core.y;
    p.fused_op = "Attention";
    p.min_opset = 23;
    all_.push_back(std::move(p));
  }
  smallest_.assign(model.nodes().size(), -1);
  for (auto& p : all_) {
    std::sort(p.nodes.begin(), p.nodes.end(),
              [&](NodeId a, NodeId b) { return structure.position(a) < structure.position(b); });
    p.nodes.erase(std::unique(p.nodes.begin(), p.nodes.end()), p.nodes.end());
    if (inner_used(model, p)) p.flags |= AEGIS_PATTERN_INNER_USED;
  }
  for (std::size_t i = 0; i < all_.size(); ++i)
    for (const NodeId id : all_[i].nodes) {
      auto& at = smallest_[index(id)];
      if (at < 0 || all_[static_cast<std::size_t>(at)].nodes.size() > all_[i].nodes.size())
        at = static_cast<std::int32_t>(i);
    }
}

const PatternInstance* Patterns::of(NodeId node) const {
  const auto at = smallest_[index(node)];
  return at < 0 ? nullptr : &all_[static_cast<std::size_t>(at)];
}

}  // namespace aegis
