// The planner: wanted axes, their root classes, one attempt a root. An attempt gives the class a map, derives the maps
// of everything made of it, walks the padding lanes through every node that touches them, and asks the limits; it is
// settled whole or leaves one reason.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "rewriter/padding/build.hpp"
#include "rewriter/padding/trial.hpp"
#include "rewriter/pass.hpp"

namespace aegis::padding {

// A graph output that ends in a Slice.
struct Border {
  ValueId value = ValueId::none;
  int axis = 0;
};

struct PaddedClass {
  Point root = no_point;
  std::int64_t from = 0, to = 0;
  std::vector<Point> classes;  // it and everything derived from it
  std::vector<Border> borders;
};

struct PaddingPlan {
  Settled settled;
  std::vector<PaddedClass> padded;
  std::vector<Refusal> refused;
};

// `excluded`: root classes that are left alone, and why.
PaddingPlan plan_padding(const ClassGraph& graph, const std::vector<Want>& wants, const PassInput& input,
                         const std::map<Point, Reason>& excluded);

// Nodes that touch any of the classes, in the order of the graph.
std::vector<NodeId> nodes_touching(const ClassGraph& graph, const std::vector<Point>& classes);

}  // namespace aegis::padding
