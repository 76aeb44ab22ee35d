// Workers that crash, hang, eat memory and talk nonsense: each costs its own job and nothing else.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "cli/worker/interrupt.hpp"
#include "cli/worker/pool.hpp"

using namespace aegis;

namespace {

struct Outcome {
  std::map<std::size_t, std::string> answers, failures;
  bool whole = false;
};

Outcome run(std::size_t jobs, int workers, const Job& work, const WorkerLimits& limits = {}) {
  Outcome outcome;
  outcome.whole = run_in_workers({.jobs = jobs,
                                  .workers = workers,
                                  .limits = limits,
                                  .work = work,
                                  .done =
                                      [&](std::size_t job, Result<std::string> answer) {
                                        if (answer) {
                                          outcome.answers[job] = *answer;
                                        } else {
                                          CHECK(answer.error().code == "IO908");
                                          CHECK(answer.error().fault == Fault::internal);
                                          outcome.failures[job] = answer.error().message;
                                        }
                                      },
                                  .tick = {}});
  return outcome;
}

// Job 1 of three goes wrong as told, while it lints; what the run says about it. The others are answered.
std::string only_the_second_fails(const std::function<std::string()>& wrong, const WorkerLimits& limits = {}) {
  for (const int workers : {1, 2}) {
    const Outcome outcome = run(
        3, workers,
        [&](std::size_t job, const EnterPhase& enter) {
          enter(Phase::linting);
          return job == 1 ? wrong() : "fine";
        },
        limits);
    CHECK(outcome.whole);
    CHECK(outcome.answers == std::map<std::size_t, std::string>{{0, "fine"}, {2, "fine"}});
    REQUIRE(outcome.failures.size() == 1);
    if (workers == 2) return outcome.failures.at(1);
  }
  return "";
}

bool no_child_left() { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

}  // namespace

TEST_CASE("workers answer all jobs, one process for many of them") {
  for (const int workers : {1, 2, 7}) {
    const Outcome outcome = run(200, workers, [](std::size_t job, const EnterPhase&) {
      return std::to_string(job) + " " + std::to_string(::getpid());
    });
    CHECK(outcome.whole);
    REQUIRE(outcome.answers.size() == 200);
    std::set<std::string> processes;
    for (const auto& [job, answer] : outcome.answers) {
      CHECK(answer.starts_with(std::to_string(job) + " "));
      processes.insert(answer.substr(answer.find(' ')));
    }
    CHECK(processes.size() <= static_cast<std::size_t>(workers));
    CHECK(!processes.contains(" " + std::to_string(::getpid())));
  }
  CHECK(no_child_left());
}

TEST_CASE("answers of any size come back whole") {
  const Outcome outcome = run(5, 2, [](std::size_t job, const EnterPhase&) {
    return std::string(job == 0 ? 0 : std::size_t{1} << (6 * job), static_cast<char>('a' + job));
  });
  REQUIRE(outcome.answers.size() == 5);
  CHECK(outcome.answers.at(0).empty());
  CHECK(outcome.answers.at(4) == std::string(1u << 24, 'e'));
}

TEST_CASE("a crash is named with its signal and what was done") {
  CHECK(only_the_second_fails([]() -> std::string {
          ::signal(SIGSEGV, SIG_DFL);
          ::raise(SIGSEGV);
          return "";
        }) == "the worker crashed while linting: SIGSEGV (Segmentation fault)");
  CHECK(only_the_second_fails([]() -> std::string {
          ::signal(SIGABRT, SIG_DFL);
          std::abort();
        }).find("SIGABRT") != std::string::npos);
  CHECK(only_the_second_fails([]() -> std::string {
          ::kill(::getpid(), SIGKILL);
          return "";
        }).find("SIGKILL") != std::string::npos);
  CHECK(only_the_second_fails([]() -> std::string { ::_exit(3); }) ==
        "the worker ended without an answer while linting, exit code 3");
  CHECK(no_child_left());
}

TEST_CASE("a worker that hangs is stopped at its deadline, one that computes at its CPU time") {
  WorkerLimits limits{.wall_seconds = 1};
  CHECK(only_the_second_fails(
            []() -> std::string {
              while (true) ::pause();
            },
            limits) == "the worker had no answer after 1 s and was stopped while linting");
  limits = {.cpu_seconds = 0};
  CHECK(only_the_second_fails(
            []() -> std::string {
              for (std::size_t i = 0;; ++i) {
                rusage used{};
                ::getrusage(RUSAGE_SELF, &used);
                if (i == SIZE_MAX) return "";
              }
            },
            limits) == "the worker reached its limit of CPU time while linting");
  CHECK(no_child_left());
}

TEST_CASE("CPU time counts for one job, not for all that a worker did") {
  const auto half_a_second = [](std::size_t, const EnterPhase&) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto of = [](const rusage& u) {
      return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
    };
    const auto from = of(used);
    while (of(used) < from + 500) ::getrusage(RUSAGE_SELF, &used);
    return std::string("fine");
  };
  CHECK(run(5, 1, half_a_second, {.cpu_seconds = 1}).answers.size() == 5);
}

#if !defined(AEGIS_SANITIZED)
TEST_CASE("memory above the limit fails the job; validating lifts the limit for that job alone") {
  const WorkerLimits limits{.memory_bytes = 1ull << 30};
  const auto two_gib = [] { return std::string(2ull << 30, 'x').substr(0, 4); };
  CHECK(only_the_second_fails(two_gib, limits) == "the worker reached its limit of memory, 1024 MiB, while linting");

  // Mapped, not touched: what an engine does.
  const auto maps = [](std::size_t job, const EnterPhase& enter) {
    if (job == 0) enter(Phase::validating);
    void* mapped = ::mmap(nullptr, 2ull << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return std::string("refused");
    ::munmap(mapped, 2ull << 30);
    return std::string("mapped");
  };
  CHECK(run(2, 1, maps, limits).answers == std::map<std::size_t, std::string>{{0, "mapped"}, {1, "refused"}});
}
#endif

TEST_CASE("an exception of a job is its failure") {
  CHECK(only_the_second_fails([]() -> std::string { throw std::runtime_error("a surprise"); }) ==
        "the worker met an error while linting: a surprise");
  CHECK(only_the_second_fails([]() -> std::string { throw 7; }).find("without a text") != std::string::npos);
}

TEST_CASE("bytes that are no answer, and answers above the limit, fail the job") {
  // Whatever is open may be the line to the parent.
  const auto babble = [](const std::string& bytes) {
    for (int descriptor = 3; descriptor < 64; ++descriptor)
      if (::write(descriptor, bytes.data(), bytes.size()) < 0) continue;
  };
  for (const std::string& bytes : {std::string("x"), std::string(39, '\0'), std::string(4096, '\xff')}) {
    const std::string said = only_the_second_fails([&] {
      babble(bytes);
      return std::string("an answer behind it");
    });
    CHECK(said.find("that are no answer while linting") != std::string::npos);
  }
  CHECK(only_the_second_fails([] { return std::string(2u << 20, 'x'); }, {.result_bytes = 1u << 20}) ==
        "the result has more than 1 MiB, the most that a worker may answer");
  CHECK(no_child_left());
}

TEST_CASE("what a job prints reaches nobody") {
  const Outcome outcome = run(1, 1, [](std::size_t, const EnterPhase&) {
    const std::string noise = "printed by a library\n";
    return std::to_string(::write(STDOUT_FILENO, noise.data(), noise.size()));
  });
  CHECK(outcome.answers.at(0) == "21");
}

TEST_CASE("a request to end stops the run and its workers at once") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::size_t answered = 0;
    bool sent = false;
    const bool whole = run_in_workers({.jobs = 4,
                                       .workers = 2,
                                       .limits = {},
                                       .work =
                                           [](std::size_t job, const EnterPhase&) {
                                             while (job > 0) ::pause();
                                             return std::string();
                                           },
                                       .done = [&](std::size_t, Result<std::string>) { ++answered; },
                                       .tick =
                                           [&] {
                                             if (!std::exchange(sent, true)) ::raise(signal);
                                           }});
    CHECK_FALSE(whole);
    CHECK(answered <= 1);
    CHECK(interrupted_by() == signal);
    CHECK(no_child_left());
  }
}

TEST_CASE("workers do not outlive a parent that is killed") {
  int line[2];
  REQUIRE(::pipe(line) == 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    run(2, 2, [&](std::size_t, const EnterPhase&) -> std::string {
      if (::write(line[1], "x", 1) != 1) ::_exit(1);
      while (true) ::pause();
    });
    ::_exit(0);
  }
  ::close(line[1]);
  char byte = 0;
  REQUIRE(::read(line[0], &byte, 1) == 1);
  REQUIRE(::read(line[0], &byte, 1) == 1);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  CHECK(::read(line[0], &byte, 1) == 0);  // the end comes when the last worker is gone
  ::close(line[0]);
}
