#include "model/call_depth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "model/state.hpp"

namespace aegis {
namespace {

// The function that a scope lies in, or the main graph.
ScopeId body_of(const Model::State& state, ScopeId scope) {
  while (state.scopes[index(scope)].parent != ScopeId::none) scope = state.scopes[index(scope)].parent;
  return scope;
}

}  // namespace

Result<void> check_call_depth(const Model::State& state, const Limits& limits) {
  std::vector<std::vector<ScopeId>> calls(state.scopes.size());
  for (const Node& node : state.nodes)
    if (node.function != ScopeId::none) calls[index(body_of(state, node.scope))].push_back(node.function);

  // Functions whose callees all have a depth get theirs; those of a circle, and their callers, never do.
  std::vector<std::size_t> waits(calls.size());
  std::vector<std::uint64_t> depth(calls.size(), 0);
  std::vector<std::vector<ScopeId>> callers(calls.size());
  std::vector<ScopeId> ready;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const ScopeId scope{static_cast<std::uint32_t>(i)};
    waits[i] = calls[i].size();
    for (const ScopeId callee : calls[i]) callers[index(callee)].push_back(scope);
    if (waits[i] == 0) ready.push_back(scope);
  }
  for (std::size_t done = 0; done < ready.size(); ++done) {
    const ScopeId callee = ready[done];
    for (const ScopeId caller : callers[index(callee)]) {
      depth[index(caller)] = std::max(depth[index(caller)], depth[index(callee)] + 1);
      if (--waits[index(caller)] == 0) ready.push_back(caller);
    }
  }
  const auto too_deep = [&](const Scope& scope, std::uint64_t found, std::string_view where) {
    Error error = limit_reached(limits, &Limits::function_call_depth, found, state.path);
    error.notes.push_back(fmt::format("{} {}", where, scope.path));
    return error;
  };
  for (const Scope& scope : state.scopes) {
    if (depth[index(scope.id)] <= limits.function_call_depth && waits[index(scope.id)] == 0) continue;
    if (waits[index(scope.id)] == 0) return too_deep(scope, depth[index(scope.id)], "from");
    // Every scope that still waits leads to a circle: after as many steps as there are scopes one is inside.
    ScopeId at = scope.id;
    for (std::size_t step = 0; step < calls.size(); ++step)
      at = *std::ranges::find_if(calls[index(at)], [&](ScopeId callee) { return waits[index(callee)] > 0; });
    return too_deep(state.scopes[index(at)], limits.function_call_depth + 1, "in a circle of calls through");
  }
  return {};
}

}  // namespace aegis
