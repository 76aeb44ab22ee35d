#include "ops/graph/schemas.hpp"

namespace aegis {

const std::optional<SchemaTypes>& Schemas::types(const Node& node, std::int64_t opset) const {
  const std::scoped_lock lock(mutex_);
  const auto [it, fresh] =
      types_.try_emplace({{node.op, node.domain, opset}, {node.inputs.size(), node.outputs.size()}});
  if (fresh) it->second = schema_types(node, opset);
  return it->second;
}

int Schemas::since_version(const Node& node, std::int64_t opset) const {
  const std::scoped_lock lock(mutex_);
  const auto [it, fresh] = versions_.try_emplace({node.op, node.domain, opset}, 0);
  if (fresh) it->second = aegis::since_version(node, opset);
  return it->second;
}

}  // namespace aegis
