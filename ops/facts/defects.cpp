#include "ops/graph/defects.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

struct Defects {
  explicit Defects(FactTable& table) : all(find_defects(table.model(), table.types())) {}
  std::vector<Defect> all;
};

const aegis_defects* listed(FactTable& table, const std::vector<const Defect*>& defects) {
  std::vector<aegis_defect> list;
  list.reserve(defects.size());
  for (const Defect* d : defects)
    list.push_back(
        {.kind = d->kind, .zero = 0, .at = d->at, .other = d->other, .name = table.text(d->name), .number = d->number});
  auto* fact = table.make<aegis_defects>();
  fact->list = table.list<aegis_defect>(list);
  return fact;
}

const void* of_model(FactTable& table, aegis_absence&) {
  std::vector<const Defect*> all;
  for (const Defect& d : table.analysis<Defects>().all) all.push_back(&d);
  return listed(table, all);
}

}  // namespace

AEGIS_FACT(defects) = {.id = AEGIS_FACT_DEFECTS, .of_model = of_model};
