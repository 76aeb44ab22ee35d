// The class graph. A point is one (value, axis); a constant has points of its own for every use, so two readers of one
// weight are not tied to each other and the weight may be split when they want different things. Points that must have
// the same extent and the same lane map are joined into classes (union-find). Derived edges make the map of a whole
// axis from the maps of its parts: a product (Reshape, groups, gates) or a sum (Concat, Split, Slice). Parts may be
// virtual: points without a value, such as one group of a grouped Conv. A class that is the whole of no edge is a root;
// roots are what the planner pads. Barriers say why a point must keep its extent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"
#include "rewriter/padding/lane_map.hpp"

namespace aegis::padding {

using Point = std::uint32_t;
inline constexpr Point no_point = 0xffffffffu;

struct PointInfo {
  ValueId value = ValueId::none;  // none: virtual
  int axis = 0;
  NodeId user = NodeId::none;  // for a constant: the reader
  std::uint32_t slot = 0;
  std::int64_t extent = -1;  // -1: not fixed by the file
};

struct Barrier {
  Point point = no_point;
  NodeId node = NodeId::none;
  std::string reason, detail;  // a word of the padding report, and what stands in the way
};

struct Derived {
  enum class Kind : std::uint8_t { product, sum } kind = Kind::product;
  Point whole = no_point;
  std::vector<Point> parts;  // from the outermost in, or from the first to the last
  NodeId node = NodeId::none;
};

class ClassGraph {
 public:
  ClassGraph(const Model& model, const TypeTable& types);

  const Model& model() const { return *model_; }
  const TypeTable& types() const { return *types_; }
  std::size_t size() const { return info_.size(); }

  // Points of an input or output slot; no_point for an absent slot, an unknown rank or an axis out of range.
  Point input(const Node& node, std::size_t slot, int axis) const;
  Point output(const Node& node, std::size_t slot, int axis) const;
  int input_rank(const Node& node, std::size_t slot) const;  // -1: absent or unknown
  int output_rank(const Node& node, std::size_t slot) const;
  bool constant(const Node& node, std::size_t slot) const;  // an input with stored data that no caller may override
  const PointInfo& info(Point point) const { return info_[point]; }
  std::int64_t extent(Point point) const { return point == no_point ? -1 : info_[point].extent; }

  Point make_virtual(std::int64_t extent);
  void join(Point a, Point b, const Node& node);
  void derive(Derived derived);
  void block(Point point, NodeId node, std::string_view reason, std::string detail);
  void block_all(const Node& node, std::string_view reason, const std::string& detail);
  // Cuts `whole` at [from, to): the class of the piece follows that part of the whole. Settled in finish().
  void cut(Point whole, std::int64_t from, std::int64_t to, Point piece, const Node& node);

  // Settles the cuts, joins the parts of equal edges and sorts barriers, edges and nodes by class. No join after this.
  void finish();

  Point find(Point point) const;
  const std::vector<Point>& members(Point root) const { return members_[root]; }
  const std::vector<std::size_t>& barriers_of(Point root) const { return class_barriers_[root]; }
  const std::vector<std::size_t>& whole_of(Point root) const { return class_whole_[root]; }  // edges that derive it
  const std::vector<std::size_t>& part_of(Point root) const { return class_part_[root]; }    // edges that it feeds
  const std::vector<NodeId>& nodes_of(Point root) const { return class_nodes_[root]; }
  const Barrier& barrier(std::size_t i) const { return barriers_[i]; }
  const Derived& derived(std::size_t i) const { return derived_[i]; }

 private:
  void settle_cuts();
  void match_edges();

  struct Cut {
    Point whole, piece;
    std::int64_t from, to;
    NodeId node;
  };

  const Model* model_;
  const TypeTable* types_;
  std::vector<PointInfo> info_;
  mutable std::vector<Point> parent_;
  std::vector<Point> base_;                            // by ValueId; no_point: no points
  std::unordered_map<std::uint64_t, Point> use_base_;  // (node, slot) of constants
  std::vector<Barrier> barriers_;
  std::vector<Derived> derived_;
  std::vector<Cut> cuts_;
  std::vector<std::vector<Point>> members_;
  std::vector<std::vector<std::size_t>> class_barriers_, class_whole_, class_part_;
  std::vector<std::vector<NodeId>> class_nodes_;
};

}  // namespace aegis::padding
