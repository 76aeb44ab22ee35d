// Patterns: several nodes that mean one thing, found by their structure: decomposed norms, softmax, GELU, SiLU, and
// the attention cores.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct PatternInstance {
  std::uint32_t kind = AEGIS_PATTERN_NONE;
  std::uint32_t flags = 0;  // AEGIS_PATTERN_COMPLETE and on
  NodeId anchor = NodeId::none;
  std::vector<NodeId> nodes = {};  // in the order of the file
  ValueId in = ValueId::none, out = ValueId::none, scale = ValueId::none, shift = ValueId::none,
          epsilon = ValueId::none;
  std::optional<double> epsilon_value = {};
  Dim n = {};
  int min_opset = 0;
  std::string_view fused_op = {};
};

class Patterns {
 public:
  explicit Patterns(FactTable& table);
  const std::vector<PatternInstance>& all() const { return all_; }
  // The smallest pattern that holds a node; null when none does.
  const PatternInstance* of(NodeId node) const;

 private:
  std::vector<PatternInstance> all_;
  std::vector<std::int32_t> smallest_;  // by node: index into all_; -1 none
};

}  // namespace aegis
