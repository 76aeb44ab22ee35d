// Ctrl-C and the other polite requests to end (SIGINT, SIGTERM, SIGHUP).
#pragma once

namespace aegis {

// While one lives, a request to end is noted instead of ending the process at once. Ignored ones (nohup) stay ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

// The signal that came, 0 when none did.
int interrupted_by();

// Ends the process by the signal that came, so that a shell sees what happened and stops too.
[[noreturn]] void end_by_signal(int signal);

}  // namespace aegis
