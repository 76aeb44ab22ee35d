#include "cli/worker/child.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <exception>
#include <new>

namespace aegis {
namespace worker {
namespace {

// Sanitizers map terabytes of shadow memory and print what they find.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

void limit(__rlimit_resource what, rlim_t most) {
  rlimit now{};
  if (::getrlimit(what, &now) != 0) return;
  now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
  ::setrlimit(what, &now);
}

void limit_cpu(std::uint64_t seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  limit(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + seconds);
}

// Nothing that a library prints may reach the report; Ctrl-C is the parent's to answer.
void prepare(const Line& line) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != line.parent) ::_exit(0);
  for (const int end : line.parents_ends) ::close(end);
  for (const int signal : {SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    if (!sanitized) ::dup2(nowhere, STDERR_FILENO);
  }
  limit(RLIMIT_CORE, 0);
  ::mallopt(M_ARENA_MAX, 8);  // each takes 64 MiB of address space
}

void begin_limits(const WorkerLimits& limits) {
  limit_cpu(limits.cpu_seconds);
  if (!sanitized) limit(RLIMIT_AS, limits.memory_bytes);
}

void lift_limits() {
  limit(RLIMIT_AS, RLIM_INFINITY);
  limit(RLIMIT_CPU, RLIM_INFINITY);
}

bool send_all(int socket, const void* bytes, std::size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket, at, std::min<std::size_t>(count, 1u << 30), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

void answer(int socket, std::uint64_t job, Answer kind, std::string_view bytes) {
  const Frame frame{.magic = magic,
                    .job = job,
                    .bytes = bytes.size(),
                    .checksum = XXH3_64bits(bytes.data(), bytes.size()),
                    .answer = kind};
  if (!send_all(socket, &frame, sizeof frame) || !send_all(socket, bytes.data(), bytes.size())) ::_exit(1);
}

// Allocates nothing once memory is used up.
void do_job(int socket, std::uint64_t job, const WorkerRun& run, const EnterPhase& enter) {
  try {
    const std::string bytes = run.work(static_cast<std::size_t>(job), enter);
    if (bytes.size() > run.limits.result_bytes) return answer(socket, job, Answer::too_large, {});
    answer(socket, job, Answer::result, bytes);
  } catch (const std::bad_alloc&) {
    answer(socket, job, Answer::no_memory, {});
  } catch (const std::exception& problem) {
    answer(socket, job, Answer::threw, problem.what());
  } catch (...) {
    answer(socket, job, Answer::threw, "an exception without a text");
  }
}

}  // namespace

void serve(const Line& line, const WorkerRun& run, Shared& shared) {
  prepare(line);
  const EnterPhase enter = [&shared](Phase phase) {
    shared.phase.store(phase);
    if (phase == Phase::validating) lift_limits();
  };
  std::uint64_t job = 0;
  while (::recv(line.socket, &job, sizeof job, MSG_WAITALL) == static_cast<ssize_t>(sizeof job)) {
    begin_limits(run.limits);
    do_job(line.socket, job, run, enter);
  }
  ::_exit(0);
}

}  // namespace worker
}  // namespace aegis
