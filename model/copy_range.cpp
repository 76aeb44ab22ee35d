#include "model/copy_range.hpp"

#include <fmt/format.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "model/descriptor.hpp"

namespace aegis {
namespace {

constexpr std::uint64_t most_at_once = 64u << 20;  // so that a signal is answered in good time
constexpr std::uint64_t window = 1u << 20;

// How far `step` gets on its own: it copies at most `n` bytes from `at` and returns as system calls do.
template <class Step>
std::uint64_t by_kernel(std::uint64_t offset, std::uint64_t length, Step step) {
  std::uint64_t done = 0;
  while (done < length) {
    const ssize_t copied =
        step(static_cast<off_t>(offset + done), static_cast<std::size_t>(std::min(most_at_once, length - done)));
    if (copied < 0 && errno == EINTR) continue;
    if (copied <= 0) break;
    done += static_cast<std::uint64_t>(copied);
  }
  return done;
}

}  // namespace

Error cannot_be(std::string_view done, const std::string& name) {
  const char* const why = std::strerror(errno);
  return Error{.fault = Fault::file,
               .code = {},
               .message = fmt::format("cannot be {}: {}; choose another place, or make room there", done, why),
               .where = name,
               .notes = {}};
}

Result<void> write_to(int to, std::span<const std::byte> bytes, const std::string& name) {
  return write_all(to, bytes) ? Result<void>() : cannot_be("written", name);
}

Result<void> copy_range(const File& from, std::uint64_t offset, std::uint64_t length, int to, const std::string& name) {
  std::uint64_t done = 0;
  if (const int source = from.descriptor(); source >= 0) {
    done += by_kernel(offset, length,
                      [&](off_t at, std::size_t n) { return ::copy_file_range(source, &at, to, nullptr, n, 0); });
    done += by_kernel(offset + done, length - done,
                      [&](off_t at, std::size_t n) { return ::sendfile(to, source, &at, n); });
  }
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(window, length - done)));
  while (done < length) {
    const auto piece = std::span(buffer).first(static_cast<std::size_t>(std::min(window, length - done)));
    AEGIS_CHECK(from.read(offset + done, piece));
    AEGIS_CHECK(write_to(to, piece, name));
    done += piece.size();
  }
  return {};
}

}  // namespace aegis
