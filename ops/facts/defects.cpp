#include "ops/graph/defects.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

const void* of_model(FactTable& table, aegis_absence&) {
  std::vector<aegis_defect> list;
  for (const Defect& d : find_defects(table.model(), table.types()))
    list.push_back(
        {.kind = d.kind, .zero = 0, .at = d.at, .other = d.other, .name = table.text(d.name), .number = d.number});
  auto* fact = table.make<aegis_defects>();
  fact->list = table.list<aegis_defect>(list);
  return fact;
}

}  // namespace

AEGIS_FACT(defects) = {.id = AEGIS_FACT_DEFECTS, .of_model = of_model};
