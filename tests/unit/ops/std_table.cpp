// The table of operators as a whole.
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "ops/op_table.hpp"

using namespace aegis;

TEST_CASE("every row is found by its domain and name, and names are unique") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Op* op : op_table()) {
    INFO(std::string(op->name));
    CHECK(seen.emplace(op->domain, op->name).second);
    CHECK(find_op(op->domain, op->name) == op);
  }
  CHECK(find_op("", "NoSuchOperator") == nullptr);
  CHECK(find_op("no.such.domain", "Add") == nullptr);
}

TEST_CASE("products have a padding row, element functions a cost") {
  for (const Op* op : op_table()) {
    INFO(std::string(op->name));
    if (op->cost.kind == CostClass::gemm || op->cost.kind == CostClass::conv) CHECK(op->pad != PadRow::unknown);
    if (op->cost.kind == CostClass::elementwise) CHECK(op->cost.flops > 0);
  }
}
