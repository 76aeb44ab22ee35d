// Evaluator: "compute this node for me". Facts and folding ask through it; exec implements it and cli wires it in.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

class Evaluator {
 public:
  virtual ~Evaluator() = default;
  // Outputs of one node from tensors for all its inputs (null where an optional input is absent).
  virtual Result<std::vector<Tensor>> evaluate(const Model& model, const Node& node,
                                               std::span<const Tensor* const> inputs) const = 0;
};

}  // namespace aegis
