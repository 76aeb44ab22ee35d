// Structure: what part of a model really runs on the device, and how often. Values that depend on constants alone are
// computed once by any runtime; small integers made from shapes stay on the host; views move no bytes.
#pragma once

#include <vector>

#include "ops/facts.hpp"
#include "ops/op.hpp"

namespace aegis {

enum class NodeRole : std::uint8_t {
  kernel,    // runs on the device
  view,      // no kernel, no bytes: Reshape and the like
  constant,  // depends on constants alone: folded before the run
  host,      // shape arithmetic on a few integers
  control,   // If, Loop, Scan, a call: what runs is in the body
};

class Structure {
 public:
  explicit Structure(FactTable& table);

  NodeRole role(NodeId id) const { return roles_[index(id)]; }
  bool constant(ValueId id) const { return id != ValueId::none && constant_[index(id)]; }
  bool host(ValueId id) const { return id != ValueId::none && host_[index(id)]; }
  // The value whose memory this one shares, through views.
  ValueId root(ValueId id) const { return roots_[index(id)]; }
  // The row of the node's operator; null when there is none.
  const Op* op(NodeId id) const { return ops_[index(id)]; }
  // How often the scope's nodes run in one run of the model; NaN when a trip count is unknown.
  double times(ScopeId scope) const { return times_[index(scope)]; }
  // Trips of one run of the body of a Loop or Scan; 1 for other scopes; NaN when unknown.
  double trips(ScopeId scope) const { return trips_[index(scope)]; }
  // Position in a walk of all scopes in file order: producers come before their readers.
  std::uint32_t position(NodeId id) const { return positions_[index(id)]; }
  // All living nodes in that order.
  const std::vector<NodeId>& order() const { return order_; }
  // Did the schema's inference refuse the node?
  bool failed(NodeId id) const { return failed_[index(id)]; }
  // Elements of a value; nullopt when an extent is not known.
  std::optional<std::int64_t> elements(ValueId id) const;

 private:
  void count_times(FactTable& table);
  NodeRole classify(const Node& node) const;
  bool all_constant(const Node& node) const;

  const Model& model_;
  const TypeTable& types_;
  std::vector<NodeRole> roles_;
  std::vector<const Op*> ops_;
  std::vector<bool> constant_, host_, failed_;
  std::vector<ValueId> roots_;
  std::vector<double> times_, trips_;
  std::vector<std::uint32_t> positions_;
  std::vector<NodeId> order_;
};

// An operator whose result differs from run to run.
bool is_random(const Node& node);
// A small integer constant or propagated shape value, by elements; empty when unknown.
std::optional<std::vector<std::int64_t>> known_integers(const FactTable& table, ValueId value);
// The first element of a small constant as a number (scalars such as epsilon, scale, exponent); nullopt when it is no
// stored constant of one element.
std::optional<double> scalar(const FactTable& table, ValueId value);

}  // namespace aegis
