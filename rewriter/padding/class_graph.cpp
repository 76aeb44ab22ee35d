#include "rewriter/padding/class_graph.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace aegis::padding {
namespace {

std::uint64_t use_key(NodeId node, std::size_t slot) { return (std::uint64_t{index(node)} << 32) | slot; }

// The extent that the file itself fixes; a number that a binding or an assumption gave is none.
std::int64_t fixed_extent(const Dim& dim) {
  return dim.known() && dim.origin == Dim::Origin::fixed && dim.depends == 0 ? dim.extent : -1;
}

bool touches_function(const Model& model, const Node& node) {
  for (ScopeId scope = node.scope; scope != ScopeId::none; scope = model.scope(scope).parent) {
    if (model.scope(scope).kind == ScopeKind::function) return true;
  }
  return false;
}

}  // namespace

ClassGraph::ClassGraph(const Model& model, const TypeTable& types) : model_(&model), types_(&types) {
  base_.assign(model.values().size(), no_point);
  for (const Value& value : model.values()) {
    const ValueType& type = types.of(value.id);
    if (!value.alive || !type.tensor() || !type.ranked() || model.constant(value.id) != nullptr) continue;
    base_[index(value.id)] = static_cast<Point>(info_.size());
    for (int axis = 0; axis < type.rank(); ++axis) {
      info_.push_back(
          {.value = value.id, .axis = axis, .extent = fixed_extent((*type.dims)[static_cast<std::size_t>(axis)])});
    }
  }
  for (const Node& node : model.nodes()) {
    if (!node.alive || touches_function(model, node)) continue;
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (!constant(node, slot)) continue;
      const TensorSource& source = *model.constant(node.inputs[slot]);
      use_base_[use_key(node.id, slot)] = static_cast<Point>(info_.size());
      for (int axis = 0; axis < static_cast<int>(source.dims.size()); ++axis) {
        info_.push_back({.value = node.inputs[slot],
                         .axis = axis,
                         .user = node.id,
                         .slot = static_cast<std::uint32_t>(slot),
                         .extent = source.dims[static_cast<std::size_t>(axis)]});
      }
    }
  }
  parent_.resize(info_.size());
  for (Point point = 0; point < parent_.size(); ++point) parent_[point] = point;
}

bool ClassGraph::constant(const Node& node, std::size_t slot) const {
  return slot < node.inputs.size() && node.inputs[slot] != ValueId::none &&
         model_->constant(node.inputs[slot]) != nullptr;
}

int ClassGraph::input_rank(const Node& node, std::size_t slot) const {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return -1;
  if (const TensorSource* source = model_->constant(node.inputs[slot])) return static_cast<int>(source->dims.size());
  const ValueType& type = types_->of(node.inputs[slot]);
  return type.tensor() ? type.rank() : -1;
}

int ClassGraph::output_rank(const Node& node, std::size_t slot) const {
  if (slot >= node.outputs.size() || node.outputs[slot] == ValueId::none) return -1;
  const ValueType& type = types_->of(node.outputs[slot]);
  return type.tensor() ? type.rank() : -1;
}

Point ClassGraph::input(const Node& node, std::size_t slot, int axis) const {
  const int rank = input_rank(node, slot);
  if (axis < 0 || axis >= rank) return no_point;
  if (constant(node, slot)) {
    const auto found = use_base_.find(use_key(node.id, slot));
    return found == use_base_.end() ? no_point : found->second + static_cast<Point>(axis);
  }
  const Point base = base_[index(node.inputs[slot])];
  return base == no_point ? no_point : base + static_cast<Point>(axis);
}

Point ClassGraph::output(const Node& node, std::size_t slot, int axis) const {
  if (axis < 0 || axis >= output_rank(node, slot)) return no_point;
  const Point base = base_[index(node.outputs[slot])];
  return base == no_point ? no_point : base + static_cast<Point>(axis);
}

Point ClassGraph::make_virtual(std::int64_t extent) {
  info_.push_back({.extent = extent});
  parent_.push_back(static_cast<Point>(parent_.size()));
  return static_cast<Point>(info_.size() - 1);
}

Point ClassGraph::find(Point point) const {
  while (parent_[point] != point) {
    parent_[point] = parent_[parent_[point]];
    point = parent_[point];
  }
  return point;
}

void ClassGraph::join(Point a, Point b, const Node& node) {
  if (a == no_point && b == no_point) return;
  if (a == no_point || b == no_point) {
    block(a == no_point ? b : a, node.id, "unknown_dim", "the rank of a neighbour is not known");
    return;
  }
  if (extent(a) != extent(b)) {
    const std::string detail = "extents " + std::to_string(extent(a)) + " and " + std::to_string(extent(b)) +
                               " (-1: not fixed) should be equal and are not known to be";
    block(a, node.id, "unknown_dim", detail);
    block(b, node.id, "unknown_dim", detail);
    return;
  }
  a = find(a);
  b = find(b);
  if (a != b) parent_[std::max(a, b)] = std::min(a, b);
}

void ClassGraph::derive(Derived derived) {
  const bool known = derived.whole != no_point &&
                     std::none_of(derived.parts.begin(), derived.parts.end(), [](Point p) { return p == no_point; });
  if (!known) {
    block(derived.whole, derived.node, "unknown_dim", "the rank of a neighbour is not known");
    for (const Point part : derived.parts)
      block(part, derived.node, "unknown_dim", "the rank of a neighbour is not known");
    return;
  }
  derived_.push_back(std::move(derived));
}

void ClassGraph::block(Point point, NodeId node, std::string_view reason, std::string detail) {
  if (point != no_point) barriers_.push_back({point, node, std::string(reason), std::move(detail)});
}

void ClassGraph::block_all(const Node& node, std::string_view reason, const std::string& detail) {
  for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
    for (int axis = 0; axis < input_rank(node, slot); ++axis) block(input(node, slot, axis), node.id, reason, detail);
  }
  for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
    for (int axis = 0; axis < output_rank(node, slot); ++axis) block(output(node, slot, axis), node.id, reason, detail);
  }
}

void ClassGraph::cut(Point whole, std::int64_t from, std::int64_t to, Point piece, const Node& node) {
  if (whole == no_point || piece == no_point || extent(whole) < 0 || from < 0 || to > extent(whole) || from >= to) {
    block(whole, node.id, "cut_segment", "the bounds of a slice are not known");
    block(piece, node.id, "cut_segment", "the bounds of a slice are not known");
    return;
  }
  if (from == 0 && to == extent(whole)) {
    join(whole, piece, node);
    return;
  }
  cuts_.push_back({whole, piece, from, to, node.id});
}

// All cuts of one class share one sequence of segments, so that two halves of a fused projection are two parts of the
// same whole however they were taken out of it.
void ClassGraph::settle_cuts() {
  std::map<Point, std::set<std::int64_t>> bounds;
  for (const Cut& cut : cuts_) bounds[find(cut.whole)].insert({std::int64_t{0}, cut.from, cut.to, extent(cut.whole)});
  std::map<Point, std::vector<Point>> segments;
  for (const auto& [root, at] : bounds) {
    std::vector<Point>& parts = segments[root];
    for (auto bound = at.begin(); std::next(bound) != at.end(); ++bound) {
      parts.push_back(make_virtual(*std::next(bound) - *bound));
    }
    const auto first =
        std::find_if(cuts_.begin(), cuts_.end(), [&, only = root](const Cut& c) { return find(c.whole) == only; });
    derived_.push_back({Derived::Kind::sum, root, parts, first->node});
  }
  std::vector<Point> wholes;  // before the joins below move them
  for (const Cut& cut : cuts_) wholes.push_back(find(cut.whole));
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    const Cut& cut = cuts_[i];
    std::vector<Point> inside;
    std::int64_t at = 0;
    for (const Point part : segments[wholes[i]]) {
      if (at >= cut.from && at < cut.to) inside.push_back(part);
      at += extent(part);
    }
    if (inside.size() == 1) {
      join(inside[0], cut.piece, model_->node(cut.node));
    } else {
      derived_.push_back({Derived::Kind::sum, cut.piece, inside, cut.node});
    }
  }
}

// A class that is the whole of two edges with parts of equal extents has one map, so the parts have one map each.
void ClassGraph::match_edges() {
  for (bool moved = true; moved;) {
    moved = false;
    std::map<std::pair<Point, std::vector<std::int64_t>>, std::size_t> first;
    for (std::size_t i = 0; i < derived_.size(); ++i) {
      std::vector<std::int64_t> extents{derived_[i].kind == Derived::Kind::product ? -1 : -2};
      for (const Point part : derived_[i].parts) extents.push_back(extent(part));
      const auto [seen, added] = first.try_emplace({find(derived_[i].whole), extents}, i);
      if (added) continue;
      for (std::size_t part = 0; part < derived_[i].parts.size(); ++part) {
        const Point a = derived_[seen->second].parts[part], b = derived_[i].parts[part];
        if (find(a) == find(b)) continue;
        join(a, b, model_->node(derived_[i].node));
        moved = true;
      }
    }
  }
}

void ClassGraph::finish() {
  settle_cuts();
  match_edges();
  const std::size_t count = info_.size();
  members_.assign(count, {});
  class_barriers_.assign(count, {});
  class_whole_.assign(count, {});
  class_part_.assign(count, {});
  class_nodes_.assign(count, {});
  for (Point point = 0; point < count; ++point) members_[find(point)].push_back(point);
  for (std::size_t i = 0; i < barriers_.size(); ++i) class_barriers_[find(barriers_[i].point)].push_back(i);
  for (std::size_t i = 0; i < derived_.size(); ++i) {
    class_whole_[find(derived_[i].whole)].push_back(i);
    for (const Point part : derived_[i].parts) {
      std::vector<std::size_t>& edges = class_part_[find(part)];
      if (edges.empty() || edges.back() != i) edges.push_back(i);
    }
  }
  const auto note = [&](Point point, NodeId node) {
    if (point == no_point) return;
    std::vector<NodeId>& nodes = class_nodes_[find(point)];
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  };
  for (const Node& node : model_->nodes()) {
    if (!node.alive) continue;
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      for (int axis = 0; axis < input_rank(node, slot); ++axis) note(input(node, slot, axis), node.id);
    }
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      for (int axis = 0; axis < output_rank(node, slot); ++axis) note(output(node, slot, axis), node.id);
    }
  }
}

}  // namespace aegis::padding
