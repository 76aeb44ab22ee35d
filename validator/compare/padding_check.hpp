// PaddingCheck: watches a run of the padded model. Lanes that padding added must hold the constant that the pass
// declared, and no index that ArgMax, ArgMin or TopK picks may point at one of them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "exec/run.hpp"
#include "validator/compare/pairing.hpp"
#include "validator/verdict.hpp"

namespace aegis {

class PaddingCheck final : public Observer {
 public:
  PaddingCheck(const Model& after, const Pairing& pairing, ChangeClass change);

  struct Fault {
    NodeId node = NodeId::none;
    ValueId value = ValueId::none;
    std::string what;
  };
  const std::optional<Fault>& fault() const { return fault_; }  // the first one
  void value(NodeId node, ValueId id, const Tensor& tensor) override;

 private:
  std::map<ValueId, std::vector<Origin::Axis>> lanes_;
  std::map<ValueId, std::int64_t> ranks_;
  struct Index {
    ValueId data;  // the padded value whose places are picked
    std::int64_t axis;
  };
  std::map<ValueId, Index> indices_;  // by the value that holds them
  double tolerance_ = 0;
  std::optional<Fault> fault_;
};

// How far a padding lane may be from its constant, relative to max(1, |constant|): docs/numerics.md.
double lane_tolerance(ChangeClass change);

}  // namespace aegis
