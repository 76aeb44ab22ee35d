// One worker as its parent sees it: a process, a socket, the job it has.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cli/worker/child.hpp"
#include "cli/worker/pool.hpp"

namespace aegis::worker {

class Process {
 public:
  using Clock = std::chrono::steady_clock;

  // Forks. Nothing when the system has no process, memory or descriptor left; errno says which.
  static std::optional<Process> start(const WorkerRun& run, std::span<const Process> others);

  Process() = default;
  Process(Process&& other) noexcept { swap(other); }
  Process& operator=(Process&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Process();

  int socket() const { return socket_; }
  bool alive() const { return socket_ >= 0; }
  bool busy() const { return job_.has_value(); }
  std::size_t job() const { return *job_; }  // of a busy one
  Clock::time_point deadline() const { return deadline_; }

  // False: it is gone.
  bool give(std::size_t job, const WorkerLimits& limits);

  enum class Got { more, answer, nonsense };  // nonsense: what came is no answer, or nothing can come any more
  Got receive(const WorkerLimits& limits);

  // The answer that receive() has found whole: a result, or an Error of the worker's own. It is free again.
  std::pair<Answer, std::string> take();

  // Ends it, without a trace left in the process table.
  void end();
  // The same, and says why the job has no answer.
  Error autopsy();
  Error late(const WorkerLimits& limits);
  Error refusal(Answer kind, const std::string& text, const WorkerLimits& limits) const;

 private:
  void swap(Process& other) noexcept;
  Frame frame() const;

  pid_t pid_ = -1;
  int socket_ = -1;
  Shared* shared_ = nullptr;
  std::optional<std::size_t> job_;
  Clock::time_point deadline_;
  std::string buffer_;
};

// IO908.
Error worker_failed(std::string message);

}  // namespace aegis::worker
