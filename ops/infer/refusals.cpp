#include "ops/infer/refusals.hpp"

#include "ops/infer/walk.hpp"

namespace aegis {

std::vector<RefusedNode> refused_nodes(const Model& model, const TypeTable& types) {
  std::vector<RefusedNode> out;
  if (types.failures.empty()) return out;
  Binding bound;
  for (const Symbol& symbol : types.symbols)
    if (symbol.bound) bound.symbols[symbol.name] = *symbol.bound;
  inference::Walk walk(model, bound, bound.symbols);
  walk.run();
  for (const InferenceFailure& failure : walk.failures)
    out.push_back({.node = failure.node, .breach = walk.refusals.at(failure.node).breach, .message = failure.message});
  return out;
}

}  // namespace aegis
