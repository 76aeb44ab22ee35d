#include "cli/loads_in.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/worker/interrupt.hpp"
#include "cli/worker/pool.hpp"
#include "rewriter/recast/runtime.hpp"
#include "validator/engines/engine.hpp"

namespace aegis {
namespace {

// The child's answer: "1.32.0\n" and, when the model is refused, the message; nothing when there is no runtime.
std::string answer_of(const Model& model) {
  const auto engine = ort_engine("");
  if (!engine) return "";
  const std::string name = (*engine)->name();
  const auto session = (*engine)->prepare(model, RunOptions{});
  return name.substr(name.find(' ') + 1) + "\n" + (session ? "" : session.error().message);
}

// What the runtime's table says of the nodes of a model.
struct Tally {
  std::size_t nodes = 0, unknown = 0;
  bool refused = false;
};

Tally by_table(const recast::Runtime& runtime, const Model& model, const TypeTable& types) {
  const std::int64_t opset = model.opset();
  const auto narrow_type = [&](const Node& node) {
    for (const auto* slots : {&node.inputs, &node.outputs})
      for (ValueId value : *slots)
        if (value != ValueId::none && is_narrow_float(types.of(value).dtype)) return types.of(value).dtype;
    return DType::undefined;
  };
  Tally tally{.refused = opset > runtime.newest_opset};
  for (const Node& node : model.nodes()) {
    if (!node.alive) continue;
    const DType type = narrow_type(node);
    const Answer answer = type == DType::undefined ? recast::loads(runtime, node, opset)
                                                   : recast::loads_narrow(runtime, node, type, opset);
    ++tally.nodes;
    if (answer == Answer::unknown) ++tally.unknown;
    if (answer == Answer::no) tally.refused = true;
  }
  return tally;
}

}  // namespace

std::optional<Opened> open_in_ort(const Model& model, int seconds) {
  std::optional<std::string> answer;
  const bool whole = run_in_workers({.jobs = 1,
                                     .limits = {.memory_bytes = UINT64_MAX,
                                                .cpu_seconds = UINT32_MAX,
                                                .wall_seconds = static_cast<std::uint64_t>(std::max(seconds, 0))},
                                     .work = [&](std::size_t, const EnterPhase&) { return answer_of(model); },
                                     .done =
                                         [&](std::size_t, Result<std::string> said) {
                                           if (said) answer = *std::move(said);
                                         },
                                     .tick = {}});
  if (!whole) end_by_signal(interrupted_by());
  if (!answer || answer->empty()) return std::nullopt;
  const std::size_t end = answer->find('\n');
  return Opened{
      .version = answer->substr(0, end), .loads = end + 1 == answer->size(), .message = answer->substr(end + 1)};
}

void add_loads_in(const Model& model, const Binding& binding, bool prove, Json& entry) {
  Json& loads = entry["loads_in"] = Json::array();
  Json& refuses = entry["refused_by"] = Json::array();
  Json& open = entry["loads_unknown"] = Json::array();
  const std::optional<Opened> opened = prove ? open_in_ort(model) : std::nullopt;
  const TypeTable types = infer(model, binding);
  for (const recast::Runtime& runtime : recast::runtimes()) {
    if (opened && runtime.name == "ort-cpu") {
      if (opened->loads)
        loads.push_back(Json{{"runtime", runtime.name}, {"version", opened->version}, {"proved", true}});
      else
        refuses.push_back(Json{{"runtime", runtime.name}, {"version", opened->version}, {"message", opened->message}});
      continue;
    }
    const Tally tally = by_table(runtime, model, types);
    if (tally.refused) continue;
    if (tally.unknown == 0)
      loads.push_back(Json{{"runtime", runtime.name}, {"version", nullptr}, {"proved", false}});
    else
      open.push_back(Json{{"runtime", runtime.name}, {"nodes", tally.nodes}, {"nodes_unknown", tally.unknown}});
  }
}

}  // namespace aegis
