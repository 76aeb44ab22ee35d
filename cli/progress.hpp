// One line on a terminal's standard error that says how far a long run is. Nothing is shown in the first half second,
// nor when standard error is no terminal.
#pragma once

#include <chrono>
#include <string>

#include "cli/io.hpp"
#include "cli/settings.hpp"

namespace aegis {

class Progress {
 public:
  Progress(const Settings& settings, Io& io, std::size_t all, std::string what);
  ~Progress();  // takes the line away
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void done() { ++done_; }
  void show();

 private:
  using Clock = std::chrono::steady_clock;
  Io& io_;
  bool on_;
  std::size_t all_, done_ = 0;
  std::string what_;  // "files"
  Clock::time_point begin_ = Clock::now();
  bool shown_ = false;
};

// "1,234 of 5,000 files · 312/s · 12 s left"
std::string progress_text(std::size_t done, std::size_t all, const std::string& what, double seconds);

}  // namespace aegis
