#include "rewriter/recast/islands.hpp"

#include <algorithm>

#include "ops/op.hpp"
#include "rewriter/recast/groups.hpp"

namespace aegis::recast {
namespace {

bool cast_up(const TypeTable& types, const Node& node) {
  return cast_target(node) == DType::f32 && node.inputs[0] != ValueId::none &&
         is_narrow_float(types.of(node.inputs[0]).dtype);
}

bool cast_down(const TypeTable& types, const Node& node) {
  return is_narrow_float(cast_target(node)) && is_wide(types, node.inputs[0]);
}

bool harmless(const Node& node) {
  const Op* op = find_op(node.domain, node.op);
  return op != nullptr && (op->risk == Risk::move || op->risk == Risk::map);
}

enum class Direction { forward, backward };

// FLOAT nodes that a walk from the ends reaches without crossing a Cast.
std::vector<char> reach(const Model& model, const TypeTable& types, std::vector<NodeId> ends, Direction direction) {
  std::vector<char> seen(model.nodes().size(), 0);
  while (!ends.empty()) {
    const Node& node = model.node(ends.back());
    ends.pop_back();
    const auto visit = [&](NodeId next) {
      if (next == NodeId::none || seen[index(next)] || cast_target(model.node(next)) != DType::undefined) return;
      seen[index(next)] = 1;
      ends.push_back(next);
    };
    for (const ValueId value : direction == Direction::forward ? node.outputs : node.inputs) {
      if (!is_wide(types, value)) continue;
      if (direction == Direction::backward) {
        visit(model.value(value).producer);
      } else {
        for (const Use& use : model.value(value).uses) visit(use.node);
      }
    }
  }
  return seen;
}

}  // namespace

std::vector<NodeId> author_islands(const Model& model, const TypeTable& types) {
  std::vector<NodeId> ups, downs;
  for (const Node& node : model.nodes()) {
    if (!node.alive) continue;
    if (cast_up(types, node)) ups.push_back(node.id);
    if (cast_down(types, node)) downs.push_back(node.id);
  }
  if (ups.empty() || downs.empty()) return {};
  const std::vector<char> after = reach(model, types, ups, Direction::forward);
  const std::vector<char> before = reach(model, types, downs, Direction::backward);
  std::vector<char> inside(model.nodes().size(), 0), done(model.nodes().size(), 0);
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = after[i] && before[i];

  std::vector<NodeId> found;
  for (const Node& first : model.nodes()) {
    if (!first.alive || !inside[index(first.id)] || done[index(first.id)]) continue;
    std::vector<NodeId> region{first.id};
    done[index(first.id)] = 1;
    for (std::size_t at = 0; at < region.size(); ++at) {  // the connected part around `first`
      const Node& node = model.node(region[at]);
      const auto visit = [&](NodeId next) {
        if (next == NodeId::none || !inside[index(next)] || done[index(next)]) return;
        done[index(next)] = 1;
        region.push_back(next);
      };
      for (const ValueId value : node.inputs) {
        if (is_wide(types, value)) visit(model.value(value).producer);
      }
      for (const ValueId value : node.outputs) {
        if (!is_wide(types, value)) continue;
        for (const Use& use : model.value(value).uses) visit(use.node);
      }
    }
    if (std::ranges::all_of(region, [&](NodeId id) { return harmless(model.node(id)); })) continue;
    found.insert(found.end(), region.begin(), region.end());
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace aegis::recast
