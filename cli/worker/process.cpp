#include "cli/worker/process.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

// An answer counts only when its frame is whole and its checksum holds. Whatever else comes out of a worker, or the end
// of it, is a failure of its job.

namespace aegis::worker {
namespace {

constexpr std::size_t piece_bytes = 256u << 10;

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const char* text = ::sigdescr_np(signal);
  const std::string said = name ? fmt::format("SIG{} ({})", name, text) : fmt::format("signal {}", signal);
  return signal == SIGKILL ? said + "; the system may have run out of memory" : said;
}

std::string phase_text(const Shared& shared) { return std::string(name(shared.phase.load())); }

}  // namespace

Error worker_failed(std::string message) {
  return Error{.fault = Fault::internal,
               .code = "IO908",
               .message = std::move(message),
               .where = "",
               .notes = {"the file is given up; --no-isolate runs it without a worker, to look closer"}};
}

std::optional<Process> Process::start(const WorkerRun& run, std::span<const Process> others) {
  Process made;
  void* page = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return std::nullopt;
  made.shared_ = new (page) Shared;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return std::nullopt;
  made.socket_ = ends[0];
  Line line{.socket = ends[1], .parents_ends = {ends[0]}, .parent = ::getpid()};
  for (const Process& other : others) line.parents_ends.push_back(other.socket());
  made.pid_ = ::fork();
  if (made.pid_ == 0) serve(line, run, *made.shared_);
  const int problem = errno;
  ::close(ends[1]);
  errno = problem;
  if (made.pid_ < 0) return std::nullopt;
  return made;
}

Process::~Process() {
  end();
  if (shared_) ::munmap(shared_, sizeof(Shared));
}

void Process::swap(Process& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(socket_, other.socket_);
  std::swap(shared_, other.shared_);
  std::swap(job_, other.job_);
  std::swap(deadline_, other.deadline_);
  std::swap(buffer_, other.buffer_);
}

bool Process::give(std::size_t job, const WorkerLimits& limits) {
  const std::uint64_t word = job;
  shared_->phase.store(Phase::starting);
  job_ = job;
  deadline_ = Clock::now() + seconds_of(limits.wall_seconds);
  buffer_.clear();
  return ::send(socket_, &word, sizeof word, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof word);
}

Frame Process::frame() const {
  Frame frame;
  std::memcpy(&frame, buffer_.data(), sizeof frame);
  return frame;
}

Process::Got Process::receive(const WorkerLimits& limits) {
  const std::size_t before = buffer_.size();
  buffer_.resize(before + piece_bytes);
  const ssize_t got = ::recv(socket_, buffer_.data() + before, piece_bytes, MSG_DONTWAIT);
  const int problem = errno;
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0 && (problem == EAGAIN || problem == EINTR)) return Got::more;
  if (got <= 0 || !busy()) return Got::nonsense;
  if (buffer_.size() < sizeof(Frame)) return Got::more;
  const Frame frame = this->frame();
  if (frame.magic != magic || frame.job != *job_ || frame.bytes > limits.result_bytes) return Got::nonsense;
  const std::uint64_t whole = sizeof(Frame) + frame.bytes;
  if (buffer_.size() > whole) return Got::nonsense;
  if (buffer_.size() < whole) return Got::more;
  return XXH3_64bits(buffer_.data() + sizeof(Frame), frame.bytes) == frame.checksum ? Got::answer : Got::nonsense;
}

std::pair<Answer, std::string> Process::take() {
  const Answer kind = frame().answer;
  buffer_.erase(0, sizeof(Frame));
  job_.reset();
  return {kind, std::exchange(buffer_, {})};
}

void Process::end() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  job_.reset();
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

Error Process::autopsy() {
  const std::string phase = phase_text(*shared_);
  // One whose end is closed is gone, or will be at once; one that talks nonsense may well live.
  int status = 0;
  pid_t ended = 0;
  for (int tries = 0; tries < 50 && ended == 0; ++tries) {
    if (tries > 0) ::usleep(1000);
    ended = ::waitpid(pid_, &status, WNOHANG);
  }
  if (ended != 0) pid_ = -1;
  end();
  if (ended <= 0)
    return worker_failed(fmt::format("the worker sent {} bytes that are no answer while {}", buffer_.size(), phase));
  if (WIFEXITED(status))
    return worker_failed(
        fmt::format("the worker ended without an answer while {}, exit code {}", phase, WEXITSTATUS(status)));
  if (WTERMSIG(status) == SIGXCPU)
    return worker_failed(fmt::format("the worker reached its limit of CPU time while {}", phase));
  return worker_failed(fmt::format("the worker crashed while {}: {}", phase, signal_text(WTERMSIG(status))));
}

Error Process::late(const WorkerLimits& limits) {
  const std::string phase = phase_text(*shared_);
  end();
  return worker_failed(
      fmt::format("the worker had no answer after {} s and was stopped while {}", limits.wall_seconds, phase));
}

Error Process::refusal(Answer kind, const std::string& text, const WorkerLimits& limits) const {
  const std::string phase = phase_text(*shared_);
  switch (kind) {
    case Answer::no_memory:
      return worker_failed(
          fmt::format("the worker reached its limit of memory, {} MiB, while {}", limits.memory_bytes >> 20, phase));
    case Answer::too_large:
      return worker_failed(
          fmt::format("the result has more than {} MiB, the most that a worker may answer", limits.result_bytes >> 20));
    default: return worker_failed(fmt::format("the worker met an error while {}: {}", phase, text));
  }
}

}  // namespace aegis::worker
