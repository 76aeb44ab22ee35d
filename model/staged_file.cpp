#include "model/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "model/descriptor.hpp"

namespace aegis {

StagedFile::~StagedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error StagedFile::failed(std::string_view what) const {
  return Error{
      .fault = Fault::file,
      .code = "IO903",
      .message = fmt::format("cannot be {}: {}; choose another place, or make room there", what, std::strerror(errno)),
      .where = target_};
}

Result<void> StagedFile::open() {
  struct stat target{};
  if (::stat(target_.c_str(), &target) == 0 && !S_ISREG(target.st_mode)) return open_direct();
  const std::size_t slash = target_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target_.substr(0, slash + 1);
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  return descriptor_ >= 0 ? Result<void>() : open_named();
}

Result<void> StagedFile::write(std::span<const std::byte> piece) {
  return write_all(descriptor_, piece) ? Result<void>() : failed("written");
}

Result<void> StagedFile::commit(Overwrite overwrite) {
  if (direct_) return {};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) return failed("written");
  if (overwrite == Overwrite::no) {
    if (link_to(target_)) return {};
    if (errno == EEXIST)
      return Error{.fault = Fault::file,
                   .code = "IO903",
                   .message = "exists already; give another name, or --force to replace it",
                   .where = target_};
    return failed("put in place");
  }
  if (temporary_.empty()) AEGIS_CHECK(name_it());
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failed("put in place");
  temporary_.clear();
  return {};
}

Result<void> StagedFile::open_direct() {
  descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  direct_ = descriptor_ >= 0;
  return direct_ ? Result<void>() : failed("opened");
}

Result<void> StagedFile::open_named() {
  std::string name = target_ + ".XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) return failed("created");
  temporary_ = name;
  return {};
}

bool StagedFile::link_to(const std::string& name) const {
  if (!temporary_.empty()) return ::link(temporary_.c_str(), name.c_str()) == 0;
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Gives the nameless file a free name beside the target, to be renamed over it.
Result<void> StagedFile::name_it() {
  for (int i = 0; i < 1000; ++i) {
    const std::string name = fmt::format("{}.{}.{}", target_, ::getpid(), i);
    if (link_to(name)) {
      temporary_ = name;
      return {};
    }
    if (errno != EEXIST) break;
  }
  return failed("put in place");
}

}  // namespace aegis
