// Attention cores: Q*K' -> scale, mask -> Softmax -> *V, written as several nodes.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct AttentionCore {
  NodeId softmax = NodeId::none, qk = NodeId::none, pv = NodeId::none;
  std::vector<NodeId> nodes;  // qk first, pv last
  ValueId q = ValueId::none, k = ValueId::none, v = ValueId::none, y = ValueId::none;
  std::vector<NodeId> scales;   // Mul and Div nodes on the way, also on q and k
  std::optional<double> scale;  // the product of constant scales; nullopt when one is not constant
};

class AttentionCores {
 public:
  explicit AttentionCores(FactTable& table);
  const std::vector<AttentionCore>& all() const { return cores_; }
  const AttentionCore* of(NodeId node) const;

 private:
  std::vector<AttentionCore> cores_;
  std::map<NodeId, std::size_t> by_node_;
};

// The one node of the same scope that reads a value which is no output of its scope; none otherwise.
NodeId only_reader(const Model& model, ValueId value);

}  // namespace aegis
