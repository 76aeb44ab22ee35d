#include "cli/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/option.hpp"
#include "cli/settings.hpp"
#include "linter/match.hpp"

namespace aegis {
namespace {

using Count = std::uint64_t;

constexpr RunLimitRow rows[] = {
    {"worker_memory_bytes", [](RunLimits& l) -> Count& { return l.worker.memory_bytes; }},
    {"worker_cpu_seconds", [](RunLimits& l) -> Count& { return l.worker.cpu_seconds; }},
    {"worker_wall_seconds", [](RunLimits& l) -> Count& { return l.worker.wall_seconds; }},
    {"worker_result_bytes", [](RunLimits& l) -> Count& { return l.worker.result_bytes; }},
    {"rule_seconds", [](RunLimits& l) -> Count& { return l.rule_seconds; }},
    {"file_seconds", [](RunLimits& l) -> Count& { return l.file_seconds; }},
    {"findings_per_rule", [](RunLimits& l) -> Count& { return l.findings_per_rule; }},
    {"wire_depth", [](RunLimits& l) -> Count& { return l.load.wire_depth; }},
    {"skeleton_bytes", [](RunLimits& l) -> Count& { return l.load.skeleton_bytes; }},
    {"nodes", [](RunLimits& l) -> Count& { return l.load.nodes; }},
    {"tensors", [](RunLimits& l) -> Count& { return l.load.tensors; }},
    {"functions", [](RunLimits& l) -> Count& { return l.load.functions; }},
    {"function_call_depth", [](RunLimits& l) -> Count& { return l.load.function_call_depth; }},
    {"subgraph_depth", [](RunLimits& l) -> Count& { return l.load.subgraph_depth; }},
    {"name_bytes", [](RunLimits& l) -> Count& { return l.load.name_bytes; }},
};

Error usage(std::string message) { return Error{.fault = Fault::usage, .message = std::move(message)}; }

}  // namespace

std::span<const RunLimitRow> run_limit_rows() { return rows; }

const RunLimitRow* find_run_limit(std::string_view name) {
  const auto* found = std::ranges::find(rows, name, &RunLimitRow::name);
  return found == std::end(rows) ? nullptr : found;
}

Result<LimitWord> read_limit_word(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    return usage(fmt::format("--limit is `{}`, expected NAME=N such as worker_memory_bytes=2GiB", word));
  const std::string_view name = word.substr(0, equals);
  const RunLimitRow* row = find_run_limit(name);
  std::vector<std::string> names;
  for (const RunLimitRow& each : rows) names.emplace_back(each.name);
  if (!row) {
    std::string known;
    for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
    return usage(
        fmt::format("--limit names `{}`, which is no limit{}; known are {}", name, did_you_mean(name, names), known));
  }
  const auto value = bytes_from_text(word.substr(equals + 1));
  if (!value)
    return usage(fmt::format(
        "--limit gives {} the value `{}`, expected a whole number, with KiB, MiB or GiB behind it if you like", name,
        word.substr(equals + 1)));
  return LimitWord{row, *value};
}

Result<RunLimits> asked_limits(const Settings& settings) {
  RunLimits limits;
  for (const auto& [name, value] : settings.config().user_limits) find_run_limit(name)->of(limits) = value;
  for (const std::string& word : settings.list("limit")) {
    AEGIS_TRY(const LimitWord asked, read_limit_word(word));
    asked.row->of(limits) = asked.value;
  }
  for (const auto& [name, value] : settings.config().limits) {
    Count& limit = find_run_limit(name)->of(limits);
    limit = std::min(limit, value);
  }
  return limits;
}

}  // namespace aegis
