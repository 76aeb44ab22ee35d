#include "cli/worker/pool.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "cli/worker/interrupt.hpp"
#include "cli/worker/process.hpp"

// The parent never blocks on one worker: it waits for all of them at once, and for the nearest deadline.

namespace aegis {
namespace {

using worker::Answer;
using worker::Process;

constexpr int tick_ms = 100;  // also how soon an interrupt is noticed that came just before the wait

class Pool {
 public:
  explicit Pool(const WorkerRun& run) : run_(run) {}

  bool go() {
    const InterruptGuard guard;
    while (done_ < run_.jobs) {
      hand_out();
      if (done_ < run_.jobs) wait();
      if (interrupted_by() != 0) return false;
      if (run_.tick) run_.tick();
    }
    return true;
  }

 private:
  void finish(std::size_t job, Result<std::string> answer) {
    ++done_;
    run_.done(job, std::move(answer));
  }

  void fail(Process& worker) {
    const std::size_t job = worker.job();
    finish(job, worker.autopsy());
  }

  void bury() {
    std::erase_if(workers_, [](const Process& worker) { return !worker.alive(); });
  }

  void hand_out() {
    for (Process& worker : workers_)
      if (!worker.busy() && next_ < run_.jobs && !worker.give(next_++, run_.limits)) fail(worker);
    bury();
    while (next_ < run_.jobs && workers_.size() < static_cast<std::size_t>(std::max(run_.workers, 1))) {
      std::optional<Process> worker = Process::start(run_, workers_);
      if (!worker && !workers_.empty()) return;  // those that run take the rest
      if (!worker) {
        finish(next_++, worker::worker_failed(fmt::format("no worker process can be started: {}",
                                                          std::generic_category().message(errno))));
        continue;
      }
      workers_.push_back(*std::move(worker));
      if (!workers_.back().give(next_++, run_.limits)) fail(workers_.back());
      bury();
    }
  }

  void wait() {
    std::vector<pollfd> waits;
    auto nearest = Process::Clock::now() + std::chrono::milliseconds(tick_ms);
    for (const Process& worker : workers_) {
      waits.push_back({.fd = worker.socket(), .events = POLLIN, .revents = 0});
      if (worker.busy()) nearest = std::min(nearest, worker.deadline());
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(nearest - Process::Clock::now()).count();
    if (::poll(waits.data(), waits.size(), static_cast<int>(std::max<std::int64_t>(left, 0))) < 0) return;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Process& worker = workers_[i];
      if (waits[i].revents != 0) listen(worker);
      if (!worker.busy() || Process::Clock::now() < worker.deadline()) continue;
      const std::size_t job = worker.job();
      finish(job, worker.late(run_.limits));
    }
    bury();
  }

  void listen(Process& worker) {
    const Process::Got got = worker.receive(run_.limits);
    if (got == Process::Got::more) return;
    if (got == Process::Got::nonsense) return worker.busy() ? fail(worker) : worker.end();
    const std::size_t job = worker.job();
    const auto [kind, bytes] = worker.take();
    if (kind == Answer::result) return finish(job, bytes);
    finish(job, worker.refusal(kind, bytes, run_.limits));
    worker.end();  // its memory may be used up or torn; the next job gets a new one
  }

  const WorkerRun& run_;
  std::vector<Process> workers_;
  std::size_t next_ = 0, done_ = 0;
};

}  // namespace

bool run_in_workers(const WorkerRun& run) { return Pool(run).go(); }

}  // namespace aegis
