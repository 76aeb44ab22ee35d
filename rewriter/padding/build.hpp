// The class graph of a model, and the axes that a matrix product or convolution wants on a multiple.
#pragma once

#include <vector>

#include "rewriter/padding/class_graph.hpp"
#include "rewriter/pass.hpp"

namespace aegis::padding {

ClassGraph build_classes(const Model& model, const TypeTable& types, const PaddingOptions& options);

// One axis that should be a multiple: K or N of a product, channels in or out of a convolution.
struct Want {
  Point root = no_point;  // its class
  NodeId node = NodeId::none;
  std::int64_t multiple = 1;
  std::string axis;  // "K", "N", "channels in", "channels out", "head dim", "input size", "hidden size"
};

// In the order of the graph, one a class (the largest multiple decides). Axes of extent 1 and axes that are not fixed
// are left out. The multiple is the one that is asked for, else that of the target in the type the model will run in.
std::vector<Want> wanted_axes(const ClassGraph& graph, const PassInput& input);

}  // namespace aegis::padding
