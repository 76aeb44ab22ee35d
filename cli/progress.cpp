#include "cli/progress.hpp"

#include <fmt/format.h>

#include <ostream>

namespace aegis {
namespace {

constexpr double quiet_seconds = 0.5;

}  // namespace

std::string progress_text(std::size_t done, std::size_t all, const std::string& what, double seconds) {
  std::string text = fmt::format("{} of {} {}", done, all, what);
  if (done == 0 || seconds <= 0) return text;
  const double rate = static_cast<double>(done) / seconds;
  text += rate >= 10 ? fmt::format(" · {:.0f}/s", rate) : fmt::format(" · {:.1f}/s", rate);
  return text + fmt::format(" · {:.0f} s left", static_cast<double>(all - done) / rate);
}

Progress::Progress(const Settings& settings, Io& io, std::size_t all, std::string what)
    : io_(io),
      on_(io.err_is_terminal && !settings.flag("quiet") && settings.text("progress") != "never"),
      all_(all),
      what_(std::move(what)) {}

Progress::~Progress() {
  if (shown_) *io_.err << "\r\x1b[K" << std::flush;
}

void Progress::show() {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (!on_ || seconds < quiet_seconds) return;
  *io_.err << "\r\x1b[K" << progress_text(done_, all_, what_, seconds) << std::flush;
  shown_ = true;
}

}  // namespace aegis
