// Limits of a run: what a file may cost. The defaults are changed by [limits] of the user's own configuration and by
// --limit; a project's aegis.toml may lower them and never raise them, since it comes with the files that it judges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/worker/pool.hpp"
#include "model/limits.hpp"
#include "model/result.hpp"

namespace aegis {

class Settings;

struct RunLimits {
  WorkerLimits worker;
  std::uint64_t rule_seconds = 10, file_seconds = 60;  // of the linter
  std::uint64_t findings_per_rule = 1000;
  Limits load;  // of the loader
};

struct RunLimitRow {
  std::string_view name;  // "worker_memory_bytes"
  std::uint64_t& (*of)(RunLimits& limits);
};
std::span<const RunLimitRow> run_limit_rows();
const RunLimitRow* find_run_limit(std::string_view name);

// "nodes=1000", "worker_memory_bytes=512MiB". Errors (usage): another form, no such limit, no such number.
struct LimitWord {
  const RunLimitRow* row = nullptr;
  std::uint64_t value = 0;
};
Result<LimitWord> read_limit_word(std::string_view word);

// Errors (usage): a wrong --limit.
Result<RunLimits> asked_limits(const Settings& settings);

}  // namespace aegis
