#include <algorithm>
#include <utility>
#include <vector>

#include "ops/op_table.hpp"

namespace aegis {
namespace {

using Key = std::pair<std::string_view, std::string_view>;  // domain, name
Key key(const Op& op) { return {op.domain, op.name}; }

// The table is sorted by file name; look-ups want it by domain and name.
const std::vector<const Op*>& by_name() {
  static const std::vector<const Op*> sorted = [] {
    const auto table = op_table();
    std::vector<const Op*> rows(table.begin(), table.end());
    std::ranges::sort(rows, {}, [](const Op* op) { return key(*op); });
    return rows;
  }();
  return sorted;
}

}  // namespace

const Op* find_op(std::string_view domain, std::string_view name) {
  const auto& rows = by_name();
  const Key wanted{domain, name};
  const auto found = std::ranges::lower_bound(rows, wanted, {}, [](const Op* op) { return key(*op); });
  return found != rows.end() && key(**found) == wanted ? *found : nullptr;
}

}  // namespace aegis
