#include <algorithm>
#include <limits>
#include <map>

#include "ops/cost/model_cost.hpp"
#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

// Names of the symbols that a value's extents wait for.
std::vector<std::string> symbols_of(const FactTable& table, ValueId value) {
  std::vector<std::string> names;
  if (value == ValueId::none) return names;
  const auto& types = table.types();
  if (!types.of(value).dims) return names;
  for (const Dim& dim : *types.of(value).dims) {
    if (dim.known()) continue;
    for (std::size_t i = 0; i < types.symbols.size(); ++i) {
      const bool itself = dim.kind == Dim::Kind::symbol && dim.symbol == i;
      if (!itself && !(dim.depends & (std::uint64_t{1} << std::min<std::size_t>(i, 63)))) continue;
      if (std::find(names.begin(), names.end(), types.symbols[i].name) == names.end())
        names.push_back(types.symbols[i].name);
    }
  }
  return names;
}

const void* of_model(FactTable& table, aegis_absence&) {
  const auto& costs = table.analysis<CostModel>();
  auto* fact = table.make<aegis_coverage>();
  std::map<std::string, std::uint32_t> waiting;
  std::map<std::pair<aegis_absence, std::string>, std::pair<std::uint32_t, NodeId>> causes;
  for (const NodeId id : table.analysis<Structure>().order()) {
    ++fact->nodes_total;
    const NodeWork& work = costs.work(id);
    if (work.known()) {
      ++fact->nodes_covered;
      continue;
    }
    ++fact->nodes_unresolved;
    auto symbols = symbols_of(table, work.waits);
    for (const auto& symbol : symbols) ++waiting[symbol];
    if (symbols.empty()) symbols.emplace_back();
    for (const auto& symbol : symbols) {
      auto& [nodes, first] = causes.try_emplace({work.why, symbol}, 0, id).first->second;
      ++nodes;
    }
  }
  // The FLOPs of what is not known are not known either.
  fact->flops_percent = fact->nodes_unresolved == 0 ? 100 : std::numeric_limits<double>::quiet_NaN();
  std::vector<aegis_waiting> symbols;
  for (const auto& [symbol, nodes] : waiting) symbols.push_back({table.text(symbol), nodes, 0});
  std::sort(symbols.begin(), symbols.end(), [](const aegis_waiting& a, const aegis_waiting& b) {
    const std::string_view left(a.symbol.data, a.symbol.size), right(b.symbol.data, b.symbol.size);
    return a.nodes != b.nodes ? a.nodes > b.nodes : left < right;
  });
  fact->symbols = table.list<aegis_waiting>(symbols);
  std::vector<aegis_cause> list;
  for (const auto& [key, value] : causes)
    list.push_back({key.first, value.first, table.text(key.second), handle(value.second), 0});
  fact->causes = table.list<aegis_cause>(list);
  return fact;
}

}  // namespace

AEGIS_FACT(coverage) = {.id = AEGIS_FACT_COVERAGE, .of_model = of_model};
