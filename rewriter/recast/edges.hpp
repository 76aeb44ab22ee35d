// Edges of the value table: who makes a FLOAT value and who reads it, seen through Casts that change nothing.
#pragma once

#include <map>
#include <vector>

#include "rewriter/recast/groups.hpp"

namespace aegis::recast {

struct Reader {
  Use use;
  int group = any;
};

struct Edge {
  ValueId value = ValueId::none;
  int source = wide;
  bool constant = false;  // stored data: a copy in another type costs no Cast
  // Made by a Cast from the narrow type: whoever wants it narrow reads the Cast's input.
  ValueId narrow_twin = ValueId::none;
  std::vector<Reader> readers;  // of the value and of its copies by FLOAT to FLOAT Casts
};

// A FLOAT to FLOAT Cast that nobody pinned and whose output is no output of its scope: its readers can read its input.
bool is_copy(const Model& model, const TypeTable& types, const TypeGroups& groups, const Node& node);
// The value behind a chain of such copies.
ValueId behind_copies(const Model& model, const TypeTable& types, const TypeGroups& groups, ValueId value);

// One edge for every FLOAT value that is no copy, in the order of their ids.
std::vector<Edge> collect_edges(const Model& model, const TypeTable& types, const TypeGroups& groups, DType to);

// The stored data that a value is made of: its own, or those of a float constant that a Cast widens; null when
// computed.
const TensorSource* stored(const Model& model, ValueId value, DType to);

}  // namespace aegis::recast
