// Spread: everything that a padded root class carries along, and the maps that follow from it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "rewriter/padding/build.hpp"
#include "rewriter/padding/trial.hpp"

namespace aegis::padding {

class Spread {
 public:
  // `multiples`: by class, of the wanted axes.
  Spread(const ClassGraph& graph, Point root, const std::map<Point, std::int64_t>& multiples, std::int64_t multiple);

  const std::vector<Point>& classes() const { return classes_; }
  // Whether all extents that must be multiples are.
  bool aligned(const std::map<Point, LaneMap>& settled) const;
  // The smallest padded extent of the root for which every wanted extent is a multiple, and all maps that it makes.
  // `settled`: maps of other classes. Nullopt: no extent does, or edges disagree.
  std::optional<std::map<Point, LaneMap>> maps(const std::map<Point, LaneMap>& settled) const;

 private:
  std::optional<std::map<Point, LaneMap>> try_extent(std::int64_t extent,
                                                     const std::map<Point, LaneMap>& settled) const;

  const ClassGraph* graph_;
  Point root_;
  std::vector<Point> classes_;
  std::map<Point, std::int64_t> aligned_;  // classes whose extent must be a multiple
};

// The root classes that a class can be padded through: itself, or the parts it is made of, from the innermost out.
std::vector<Point> roots_of(const ClassGraph& graph, Point root);

}  // namespace aegis::padding
