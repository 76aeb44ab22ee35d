// What a scope reads from outside and when each of its values is read for the last time.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace aegis {

struct ScopeOrder {
  std::vector<NodeId> nodes;                  // alive, producers first
  std::vector<std::vector<ValueId>> release;  // by position: values that no later node and no output of the scope reads
  std::vector<ValueId> captured;              // values of outer scopes that its nodes or their bodies read
};
ScopeOrder order_of(const Model& model, ScopeId scope);

}  // namespace aegis
