// Which value of `before` a value of `after` stands for. apply() records what an edit made of a value; what it says
// nothing about keeps its name. Two files that were loaded apart are paired by name alone.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

struct Pair {
  ValueId before = ValueId::none;  // none: no counterpart
  std::vector<Origin::Axis> axes;  // lanes that padding added
};

class Pairing {
 public:
  Pairing(const Model& before, const Model& after);
  Pair of(ValueId after) const;
  bool any_padding() const { return padding_; }

 private:
  const Model& before_;
  const Model& after_;
  std::map<std::pair<std::string, std::string>, ValueId> by_name_;  // scope path, name
  bool padding_ = false;
};

// The elements of an `after` tensor that stand for those of a `before` tensor of extents `dims`: cropped when the
// extents differ. Errors: as crop().
Result<Tensor> counterpart(const Tensor& after, const std::vector<std::int64_t>& dims,
                           const std::vector<Origin::Axis>& axes);

}  // namespace aegis
