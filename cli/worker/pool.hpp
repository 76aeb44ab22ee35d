// Workers: child processes that do one job after the other under limits of memory and time. A job that crashes, hangs
// or takes too much costs its worker and nothing else; the next job gets a new one. A worker is a fence against faults,
// not against an attacker who already runs code in it.
//
// Workers are forked when they are needed, so a job may use whatever its caller has made ready before. They end with
// the process that started them, however it ends.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/worker/phase.hpp"
#include "model/result.hpp"

namespace aegis {

struct WorkerLimits {
  std::uint64_t memory_bytes = 8ull << 30;  // address space
  std::uint64_t cpu_seconds = 120;          // of one job, over all its threads
  std::uint64_t wall_seconds = 120;         // of one job
  std::uint64_t result_bytes = 1ull << 30;  // of one answer
};

// A limit of time: more seconds than a clock can count to from now are as good as none.
inline std::chrono::seconds seconds_of(std::uint64_t limit) {
  return std::chrono::seconds(std::min<std::uint64_t>(limit, 1'000'000'000));
}

// Answers one job, in a worker. What it throws is a failure of the job.
using Job = std::function<std::string(std::size_t job, const EnterPhase& enter)>;

struct WorkerRun {
  std::size_t jobs = 0;
  int workers = 1;  // at most this many side by side
  WorkerLimits limits;
  Job work;
  // In this process, in the order in which jobs end. A job whose worker failed has an Error IO908 that says how.
  std::function<void(std::size_t job, Result<std::string> answer)> done;
  std::function<void()> tick;  // in this process, several times a second; may be empty
};

// Runs all jobs. False: Ctrl-C or another request to end came, the workers were ended and the rest is not done.
bool run_in_workers(const WorkerRun& run);

}  // namespace aegis
