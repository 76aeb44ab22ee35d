#include "model/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "model/descriptor.hpp"

namespace aegis {
namespace {

constexpr int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

Error refused(std::string_view location, std::string message) {
  return Error{.fault = Fault::file, .code = "IO905", .message = std::move(message), .where = std::string(location)};
}
Error absent(std::string_view location, int why) {
  return Error{.fault = Fault::file,
               .code = "IO906",
               .message = fmt::format("holds weights of the model and cannot be opened: {}; put it beside the model",
                                      std::strerror(why)),
               .where = std::string(location)};
}

// Why a location is refused before anything is opened; empty when it stays in its folder as far as words tell.
std::string_view wrong_words(std::string_view location) {
  if (location.empty()) return "the place of external weights is empty, expected a path beside the model";
  if (location.find('\0') != location.npos) return "the place of external weights holds a zero byte";
  if (location.find("_ORT_MEM_ADDR_") != location.npos)
    return "means an address in memory, which a file cannot hold; export the model again";
  if (location.front() == '/' || location.front() == '#')
    return "is no relative path; move the data beside the model and name it without a folder";
  for (std::size_t at = 0; at <= location.size();) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    if (location.substr(at, end - at) == "..")
      return "leads out of the folder of the model; move the data beside the model";
    at = end + 1;
  }
  return {};
}

// Part by part, following no link: what old kernels and sandboxes without openat2 get.
int open_by_parts(int folder, const std::string& path) {
  Descriptor at(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    const bool last = path.find_first_not_of('/', end) == path.npos;
    if (!part.empty() && part != ".") {
      const int next = ::openat(at.get(), part.c_str(), reading | O_NOFOLLOW | (last ? 0 : O_DIRECTORY));
      if (next < 0 && errno == ENOTDIR) errno = ELOOP;  // a link where a folder was expected
      if (next < 0 || last) return next;
      at.reset(next);
    }
    if (end >= path.size()) {
      errno = ENOENT;
      return -1;
    }
    begin = end + 1;
  }
}

// Fails with EXDEV or ELOOP when the path leaves `folder` or goes through links that `resolve` forbids.
int open_beneath(int folder, const std::string& path, std::uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(reading);
  how.resolve = resolve | RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (;;) {
    const long descriptor = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
    if (descriptor >= 0) return static_cast<int>(descriptor);
    if (errno == EAGAIN || errno == EINTR) continue;  // something was renamed meanwhile
    if (errno == ENOSYS || errno == EPERM) return open_by_parts(folder, path);
    return -1;
  }
}

int open_folder(const std::string& path) {
  return ::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::optional<std::string>(resolved.get()) : std::nullopt;
}

std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

}  // namespace

int open_below(const std::string& folder, const std::string& path) {
  const Descriptor at(open_folder(folder));
  return at.get() < 0 ? -1 : open_beneath(at.get(), path, RESOLVE_NO_SYMLINKS);
}

namespace {

// Caches keep a model and its data as links into one folder: what counts is where both really are.
int open_where_model_really_is(const std::string& model, const std::string& location) {
  const auto file = real_path(model), data = real_path(path_beside(model, location));
  if (!file || !data) {
    errno = EXDEV;
    return -1;
  }
  const std::string folder = folder_of(*file);
  if (!data->starts_with(folder) || folder.starts_with("/proc/")) {
    errno = EXDEV;
    return -1;
  }
  return open_below(folder, data->substr(folder.size()));
}

Result<int> checked(int descriptor, const std::string& location, ExternalPolicy policy) {
  Descriptor file(descriptor);
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return absent(location, errno);
  if (!S_ISREG(info.st_mode))
    return refused(location, "is no regular file, expected one with weights; copy the data to a file");
  if (policy == ExternalPolicy::strict && info.st_nlink > 1)
    return refused(location, "has more than one name, which the policy strict refuses; copy the data to a file");
  return file.release();
}

}  // namespace

int open_file(const std::string& path) { return ::open(path.c_str(), reading); }

int open_nameless() {
  const char* asked = std::getenv("TMPDIR");
  const std::string folder = asked != nullptr && *asked != '\0' ? asked : "/tmp";
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return nameless;
  std::string name = folder + "/aegis-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

std::string path_beside(std::string_view model, std::string_view location) {
  return folder_of(model) + std::string(location);
}

Result<int> open_beside(const std::string& model, const std::string& location, ExternalPolicy policy) {
  if (const auto why = wrong_words(location); !why.empty()) return refused(location, std::string(why));
  if (policy == ExternalPolicy::none)
    return refused(location, "is not opened under the policy none; allow it with --external-data-policy");
  const Descriptor folder(open_folder(folder_of(model)));
  if (folder.get() < 0) return absent(location, errno);
  int descriptor = open_beneath(folder.get(), location, policy == ExternalPolicy::strict ? RESOLVE_NO_SYMLINKS : 0);
  const auto left_the_folder = [&] { return descriptor < 0 && (errno == EXDEV || errno == ELOOP); };
  if (left_the_folder() && policy == ExternalPolicy::hf) descriptor = open_where_model_really_is(model, location);
  if (left_the_folder())
    return refused(location,
                   "is a link that the policy does not follow, or leads out of the folder of the model; copy the data "
                   "beside the model");
  if (descriptor < 0) return absent(location, errno);
  return checked(descriptor, location, policy);
}

}  // namespace aegis
