// The far side of a worker: what the child process does, and the line between the two.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "cli/worker/pool.hpp"

namespace aegis::worker {

inline constexpr std::uint64_t magic = 0x6165676973303031;

enum class Answer : std::uint32_t { result, no_memory, too_large, threw };

// Goes before the bytes of each answer.
struct Frame {
  std::uint64_t magic = 0, job = 0, bytes = 0, checksum = 0;
  Answer answer = Answer::result;
  std::uint32_t reserved = 0;
};

// Memory that both processes see: it outlives a crash.
struct Shared {
  std::atomic<Phase> phase = Phase::starting;
};

struct Line {
  int socket = -1;
  std::vector<int> parents_ends;  // of this worker and of the others: closed first, they are none of its business
  pid_t parent = -1;
};

// Takes jobs until the other end closes.
[[noreturn]] void serve(const Line& line, const WorkerRun& run, Shared& shared);

}  // namespace aegis::worker
