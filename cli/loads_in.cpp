#include "cli/loads_in.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

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

void write_all(int descriptor, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::write(descriptor, text.data() + at, text.size() - at);
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

// Everything until the other end closes; nullopt when that takes longer than `seconds`.
std::optional<std::string> read_all(int descriptor, int seconds) {
  using namespace std::chrono;
  const auto deadline = steady_clock::now() + std::chrono::seconds(seconds);
  std::string text;
  char buffer[4096];
  while (true) {
    const auto left = duration_cast<milliseconds>(deadline - steady_clock::now()).count();
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&wait, 1, static_cast<int>(left)) <= 0) return std::nullopt;
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
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
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  const pid_t child = ::fork();
  if (child == 0) {
    end_with_parent();
    ::close(ends[0]);
    write_all(ends[1], answer_of(model));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::optional<std::string> answer;
  if (child > 0) {
    answer = read_all(ends[0], seconds);
    if (!answer) ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status)) answer.reset();
  }
  ::close(ends[0]);
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
