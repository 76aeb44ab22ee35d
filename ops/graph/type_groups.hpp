// Type groups: the float values that must share one element type, since a type variable of some schema binds them.
#pragma once

#include <string>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct TypeGroup {
  std::uint32_t flags = 0;  // AEGIS_TYPE_GROUP_*
  DType now = DType::undefined, planned = DType::undefined;
  std::uint64_t allowed = ~std::uint64_t{0};
  std::vector<aegis_value> values;  // facts point here
  std::vector<aegis_node> nodes;
  std::string cause;  // why it stays wide
};

class TypeGroups {
 public:
  explicit TypeGroups(FactTable& table);
  // -1 for values that are no float tensors.
  int of(ValueId value) const { return of_[index(value)]; }
  const TypeGroup& group(int id) const { return groups_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<TypeGroup> groups_;
  std::vector<int> of_;
};

}  // namespace aegis
