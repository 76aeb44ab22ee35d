// CostModel: the predicted cost of every node, fusion group and scope, in both regimes. Figures count a body as often
// as it runs. NaN: unknown.
#pragma once

#include <vector>

#include "ops/cost/node_work.hpp"
#include "ops/facts.hpp"

namespace aegis {

struct Cost {
  std::uint32_t unknown_nodes = 0;
  double flops = 0, weight_bytes = 0, l2_resident_bytes = 0;
  aegis_pair bytes{}, time_us{}, launch_us{}, kernels{};

  void add(const Cost& other);  // unknown parts of `other` stay out of the sums and are counted
};

class CostModel {
 public:
  explicit CostModel(FactTable& table);

  const NodeWork& work(NodeId node) const { return works_[index(node)]; }
  // Of a control node: its bodies.
  const Cost& of(NodeId node) const { return nodes_[index(node)]; }
  const Cost& of(ScopeId scope) const { return scopes_[index(scope)]; }
  const Cost& of_fusion(std::size_t group) const { return fused_[group]; }
  const Cost& total() const { return total_; }
  // False: a branch of an If that is not its larger one, and everything in it.
  bool counted(ScopeId scope) const { return counted_[index(scope)]; }
  aegis_pair percent(const Cost& cost) const;

 private:
  void cost_groups(FactTable& table);
  void sum_scopes(FactTable& table);

  std::vector<NodeWork> works_;
  std::vector<Cost> nodes_, scopes_, fused_;
  std::vector<bool> counted_;
  Cost total_;
};

}  // namespace aegis
