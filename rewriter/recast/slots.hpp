// The two halves of TypeGroups, for its constructor alone: joining slots, and writing down who stands in the way.
#pragma once

#include <optional>

#include "rewriter/recast/groups.hpp"

namespace aegis::recast {

void join_slots(TypeGroups& groups, const Question& question);
void block_groups(TypeGroups& groups, const Question& question);

// The schema of a node at an opset; null for calls of the model's own functions, too.
std::optional<SchemaTypes> schema_of(const Model& model, const Node& node, std::int64_t opset);
// Scan of version 8 has a layout of its own and stays as it is.
bool joinable_scan(const Node& node, std::int64_t opset);

}  // namespace aegis::recast
