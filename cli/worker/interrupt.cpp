#include "cli/worker/interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <csignal>

namespace aegis {
namespace {

volatile std::sig_atomic_t came = 0;  // what a handler may touch

void note(int signal) { came = signal; }

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

InterruptGuard::InterruptGuard() {
  came = 0;
  struct sigaction action{};
  action.sa_handler = note;  // no SA_RESTART: waiting ends
  for (const int signal : signals) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : signals) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == note) ::signal(signal, SIG_DFL);
  }
}

int interrupted_by() { return came; }

void end_by_signal(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace aegis
