// How far nested bodies and calls multiply when everything is written out. Counted once a scope, so that a chain of
// functions that doubles at each step costs as much as its file is long.
#include <algorithm>
#include <limits>

#include "ops/fact.hpp"

using namespace aegis;

namespace {

class ScopeCosts {
 public:
  explicit ScopeCosts(FactTable& table) : model_(table.model()), rows_(model_.scopes().size()) {
    for (const Scope& scope : model_.scopes()) visit(scope.id);
  }

  struct Row {
    bool done = false, open = false;
    double depth = 1, nodes = 0, expanded = 0, paths = 1;
  };
  const Row& of(ScopeId id) const { return rows_[index(id)]; }

  // What a node adds to its scope.
  Row of(const Node& node) const {
    Row row{.depth = 0, .nodes = 1, .expanded = 1, .paths = node.bodies.empty() ? 1.0 : 0.0};
    for (const ScopeId body : node.bodies) {
      const Row& inner = of(body);
      row.nodes += inner.nodes;
      row.paths += inner.paths;
      row.expanded += inner.expanded;
      row.depth = std::max(row.depth, inner.depth);
    }
    if (node.function != ScopeId::none) {
      const Row& inner = of(node.function);
      row.expanded += inner.expanded;
      row.paths = inner.paths;
      row.depth = inner.depth;
    }
    return row;
  }

 private:
  // Without recursion on the stack: files decide how deep this goes.
  void visit(ScopeId start) {
    std::vector<ScopeId> stack{start};
    while (!stack.empty()) {
      const ScopeId id = stack.back();
      Row& row = rows_[index(id)];
      if (row.done) {
        stack.pop_back();
        continue;
      }
      if (!row.open) {
        row.open = true;
        for (const NodeId n : model_.scope(id).nodes) {
          const Node& node = model_.node(n);
          for (const ScopeId body : node.bodies) push(body, stack);
          if (node.function != ScopeId::none) push(node.function, stack);
        }
        continue;
      }
      stack.pop_back();
      finish(id);
    }
  }

  void push(ScopeId id, std::vector<ScopeId>& stack) {
    Row& row = rows_[index(id)];
    if (row.done) return;
    if (row.open) {  // a circle of calls never ends
      row.expanded = std::numeric_limits<double>::infinity();
      return;
    }
    stack.push_back(id);
  }

  void finish(ScopeId id) {
    Row sum{.done = true, .open = true, .depth = 0, .nodes = 0, .expanded = rows_[index(id)].expanded, .paths = 1};
    for (const NodeId n : model_.scope(id).nodes) {
      const Row row = of(model_.node(n));
      sum.nodes += row.nodes;
      sum.expanded += row.expanded;
      sum.paths = std::max(sum.paths, row.paths);
      sum.depth = std::max(sum.depth, row.depth);
    }
    sum.depth += 1;
    rows_[index(id)] = sum;
  }

  const Model& model_;
  std::vector<Row> rows_;
};

const void* made(FactTable& table, const ScopeCosts::Row& row) {
  auto* fact = table.make<aegis_scope_cost>();
  fact->depth = static_cast<std::uint32_t>(row.depth);
  fact->nodes = row.nodes;
  fact->expanded_nodes = row.expanded;
  fact->paths = row.paths;
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const Node& node = table.model().node(id);
  if (node.bodies.empty() && node.function == ScopeId::none) return nullptr;
  return made(table, table.analysis<ScopeCosts>().of(node));
}

const void* of_scope(FactTable& table, ScopeId id, aegis_absence&) {
  return made(table, table.analysis<ScopeCosts>().of(id));
}

const void* of_model(FactTable& table, aegis_absence&) {
  return made(table, table.analysis<ScopeCosts>().of(ScopeId::main));
}

}  // namespace

AEGIS_FACT(scope_cost) = {.id = AEGIS_FACT_SCOPE_COST, .of_node = of_node, .of_scope = of_scope, .of_model = of_model};
