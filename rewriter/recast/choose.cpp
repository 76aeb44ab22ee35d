#include "rewriter/recast/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "rewriter/recast/cost.hpp"
#include "rewriter/recast/edges.hpp"
#include "rewriter/recast/min_cut.hpp"
#include "rewriter/recast/runtime.hpp"

namespace aegis::recast {
namespace {

// Casts of one value. Wide is the source's side of the cut. A vertex between the maker and its narrow readers pays the
// way down once, however many they are, and a mirrored one the way up; inner scopes have Casts of their own.
class Network {
 public:
  Network(const TypeGroups& groups, const TypeTable& types) : types_(types), cut_(groups.groups().size() + 2) {
    source_ = static_cast<int>(groups.groups().size());
    sink_ = source_ + 1;
    for (int i = 0; i < source_; ++i) {
      const Group& group = groups.groups()[static_cast<std::size_t>(i)];
      if (!group.blocks.empty()) cut_.add_edge(source_, i, unlimited);
      if (group.flops > 0) cut_.add_edge(i, sink_, {group.flops, 0});
    }
  }

  void add(const Edge& edge) {
    if (edge.constant || edge.readers.empty()) return;
    const int maker = vertex(edge.source);
    const Cost bytes{0, cast_bytes(types_, edge.value)};
    std::map<ScopeId, std::pair<int, int>> casts;  // down, up
    for (const Reader& reader : edge.readers) {
      const int to = vertex(reader.group);
      if (reader.group == any || to == maker) continue;
      auto& [down, up] = casts.try_emplace(reader.use.scope, -1, -1).first->second;
      if (edge.narrow_twin == ValueId::none && maker != sink_ && to != source_) {
        if (down < 0) cut_.add_edge(maker, down = cut_.add_vertex(), bytes);
        cut_.add_edge(down, to, unlimited);
      }
      if (maker != source_ && to != sink_) {
        if (up < 0) cut_.add_edge(up = cut_.add_vertex(), maker, bytes);
        cut_.add_edge(to, up, unlimited);
      }
    }
  }

  std::vector<char> solve() {
    std::vector<char> side = cut_.solve(source_, sink_);
    side.resize(static_cast<std::size_t>(source_));
    for (char& wide_side : side) wide_side = !wide_side;
    return side;
  }

 private:
  int vertex(int group) const { return group >= 0 ? group : group == narrow ? sink_ : source_; }

  const TypeTable& types_;
  MinCut cut_;
  int source_ = 0, sink_ = 0;
};

// Narrow data that no narrow arithmetic touches gains nothing: it keeps its type. Among equal cuts the solver gives the
// one with most narrow groups, so movement beside arithmetic is narrow and only the lone parts are left to undo.
void release_idle(const TypeGroups& groups, const std::vector<Edge>& edges, std::vector<char>& is_narrow) {
  std::vector<std::vector<int>> neighbours(is_narrow.size());
  std::vector<int> reached;
  const auto chosen = [&](int group) { return group >= 0 && is_narrow[static_cast<std::size_t>(group)]; };
  std::vector<char> useful(is_narrow.size(), 0);
  const auto touch = [&](int group) {
    if (useful[static_cast<std::size_t>(group)]) return;
    useful[static_cast<std::size_t>(group)] = 1;
    reached.push_back(group);
  };
  for (std::size_t i = 0; i < is_narrow.size(); ++i) {
    if (is_narrow[i] && groups.groups()[i].flops > 0) touch(static_cast<int>(i));
  }
  for (const Edge& edge : edges) {
    for (const Reader& reader : edge.readers) {
      if (chosen(edge.source) && chosen(reader.group)) {
        neighbours[static_cast<std::size_t>(edge.source)].push_back(reader.group);
        neighbours[static_cast<std::size_t>(reader.group)].push_back(edge.source);
      }
      if (chosen(edge.source) && reader.group == narrow) touch(edge.source);
      if (chosen(reader.group) && edge.narrow_twin != ValueId::none) touch(reader.group);
    }
  }
  while (!reached.empty()) {
    const auto group = static_cast<std::size_t>(reached.back());
    reached.pop_back();
    for (const int next : neighbours[group]) touch(next);
  }
  for (std::size_t i = 0; i < is_narrow.size(); ++i) is_narrow[i] = is_narrow[i] && useful[i];
}

void score(const TypeTable& types, const std::vector<Edge>& edges, Choice& choice) {
  for (std::size_t i = 0; i < choice.is_narrow.size(); ++i) {
    if (choice.is_narrow[i]) choice.narrow_flops += choice.groups.groups()[i].flops;
  }
  for (const Edge& edge : edges) {
    if (edge.constant) continue;
    const bool made_narrow = choice.narrow_at(edge.source);
    std::map<ScopeId, bool> casts;
    for (const Reader& reader : edge.readers) {
      if (reader.group == any || choice.narrow_at(reader.group) == made_narrow) continue;
      if (!made_narrow && edge.narrow_twin != ValueId::none) continue;
      casts[reader.use.scope] = true;
    }
    choice.cast_bytes += static_cast<std::int64_t>(casts.size()) * cast_bytes(types, edge.value);
  }
}

Choice choose_for(const Question& question) {
  Choice choice{.runtime = question.runtime, .groups = TypeGroups(question)};
  const std::vector<Edge> edges = collect_edges(*question.model, *question.types, choice.groups, question.options->to);
  Network network(choice.groups, *question.types);
  for (const Edge& edge : edges) network.add(edge);
  choice.is_narrow = network.solve();
  release_idle(choice.groups, edges, choice.is_narrow);
  score(*question.types, edges, choice);
  return choice;
}

bool loads_all(const Runtime& runtime, const Model& model) {
  const std::int64_t opset = model.opset();
  if (opset > runtime.newest_opset) return false;
  std::set<std::string_view> asked;
  return std::ranges::all_of(model.nodes(), [&](const Node& node) {
    return !node.alive || !asked.insert(node.op).second || loads(runtime, node, opset) != Answer::no;
  });
}

}  // namespace

bool Choice::anything() const { return std::ranges::find(is_narrow, 1) != is_narrow.end(); }

bool Choice::better_than(const Choice& other) const {
  return narrow_flops != other.narrow_flops ? narrow_flops > other.narrow_flops : cast_bytes < other.cast_bytes;
}

Result<Choice> choose(const Model& model, const TypeTable& types, const PrecisionOptions& options) {
  Question question{.model = &model, .types = &types, .options = &options, .runtime = options.runtime};
  if (options.runtime == "schema" || find_runtime(options.runtime) != nullptr) return choose_for(question);
  if (options.runtime != "any") {
    return Error{.fault = Fault::usage,
                 .message = fmt::format("unknown runtime '{}', expected any, schema, ort-cpu, ort-cuda or tensorrt",
                                        options.runtime)};
  }
  std::optional<Choice> best;
  for (const Runtime& runtime : runtimes()) {
    if (!loads_all(runtime, model)) continue;
    question.runtime = runtime.name;
    Choice choice = choose_for(question);
    if (!best || choice.better_than(*best)) best = std::move(choice);
  }
  if (best) return *std::move(best);
  question.runtime = "schema";  // no table knows the file: nothing is known against it either
  return choose_for(question);
}

}  // namespace aegis::recast
