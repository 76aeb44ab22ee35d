#include "model/staged_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "model/copy_range.hpp"
#include "model/paths.hpp"

namespace aegis {
namespace {

constexpr std::size_t buffer_bytes = 256u << 10;
constexpr std::uint64_t worth_a_call = 64u << 10;  // shorter spans are read into the buffer

constexpr std::string_view prefix = ".aegis-", suffix = ".tmp";

std::string temporary_name(int attempt) { return fmt::format("{}{}-{}{}", prefix, ::getpid(), attempt, suffix); }

Result<bool> same_bytes(const File& a, const File& b) {
  if (a.size() != b.size()) return false;
  std::vector<std::byte> one(1u << 20), other(1u << 20);
  for (std::uint64_t at = 0; at < a.size();) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(one.size(), a.size() - at));
    AEGIS_CHECK(a.read(at, std::span(one).first(n)));
    AEGIS_CHECK(b.read(at, std::span(other).first(n)));
    if (!std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(n), other.begin())) return false;
    at += n;
  }
  return true;
}

template <class Call>
int uninterrupted(Call call) {
  int result = 0;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

Error exists(const std::string& target) {
  return Error{.fault = Fault::file,
               .code = {},
               .message = "exists already; give another name, or --force to replace it",
               .where = target,
               .notes = {}};
}

}  // namespace

mode_t mode_of(const File* file) {
  struct stat info{};
  const bool known = file != nullptr && file->descriptor() >= 0 && ::fstat(file->descriptor(), &info) == 0;
  return known ? info.st_mode & 0777 : 0666;
}

StagedFile::StagedFile(std::string target) : target_(std::move(target)), name_(target_.substr(target_.rfind('/') + 1)) {
  buffer_.reserve(buffer_bytes);
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) ::unlinkat(folder_.get(), temporary_.c_str(), 0);
}

Result<void> StagedFile::open(mode_t mode) {
  struct stat there{};
  if (::stat(target_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    descriptor_.reset(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
    direct_ = descriptor_.get() >= 0;
    return direct_ ? Result<void>() : cannot_be("opened", target_);
  }
  const std::string folder = folder_of(target_);
  folder_.reset(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder_.get() >= 0 ? open_temporary(mode) : cannot_be("created", target_);
}

Result<void> StagedFile::open_in(int folder, mode_t mode) {
  folder_.reset(::fcntl(folder, F_DUPFD_CLOEXEC, 0));
  return folder_.get() >= 0 ? open_temporary(mode) : cannot_be("created", target_);
}

Result<void> StagedFile::open_temporary(mode_t mode) {
  // A file without a name gets one through /proc.
  if (::access("/proc/self/fd", X_OK) == 0) {
    descriptor_.reset(::openat(folder_.get(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode));
    if (descriptor_.get() >= 0) return {};
  }
  for (int i = 0; i < 1000; ++i) {
    std::string name = temporary_name(i);
    descriptor_.reset(::openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (descriptor_.get() >= 0) {
      temporary_ = std::move(name);
      return {};
    }
    if (errno != EEXIST && errno != EINTR) break;
  }
  return cannot_be("created", target_);
}

Result<void> StagedFile::flush() {
  AEGIS_CHECK(write_to(descriptor_.get(), buffer_, target_));
  buffer_.clear();
  return {};
}

Result<void> StagedFile::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_bytes) AEGIS_CHECK(flush());
  if (bytes.size() > buffer_bytes) return write_to(descriptor_.get(), bytes, target_);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Result<void> StagedFile::copy(const File& from, std::uint64_t offset, std::uint64_t length) {
  if (length < worth_a_call) {
    if (buffer_.size() + length > buffer_bytes) AEGIS_CHECK(flush());
    const std::size_t old = buffer_.size();
    buffer_.resize(old + static_cast<std::size_t>(length));
    return from.read(offset, std::span(buffer_).subspan(old));
  }
  AEGIS_CHECK(flush());
  return copy_range(from, offset, length, descriptor_.get(), target_);
}

Result<std::shared_ptr<const File>> StagedFile::read_back() {
  AEGIS_CHECK(flush());
  if (direct_) return std::shared_ptr<const File>();
  const int again = ::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0);
  if (again < 0) return cannot_be("read again", target_);
  return File::adopt(again, target_);
}

void StagedFile::rename(std::string name) {
  name_ = std::move(name);
  target_.replace(target_.rfind('/') + 1, std::string::npos, name_);
}

Result<void> StagedFile::commit_or_match() {
  const int there = ::openat(folder_.get(), name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (there < 0 && errno == ENOENT) return commit(Overwrite::no);
  if (there < 0) return cannot_be("compared with what stands there", target_);
  AEGIS_TRY(const auto old, File::adopt(there, target_));
  AEGIS_TRY(const auto fresh, read_back());
  AEGIS_TRY(const bool same, same_bytes(*old, *fresh));
  if (same) return {};
  return Error{.fault = Fault::file,
               .code = {},
               .message =
                   "stands there with other weights than those of this model; move it away, or write the "
                   "result to another folder",
               .where = target_,
               .notes = {}};
}

Result<void> StagedFile::commit(Overwrite overwrite) {
  AEGIS_CHECK(flush());
  if (direct_) return {};
  struct stat there{};
  const bool replaces =
      overwrite != Overwrite::no && ::fstatat(folder_.get(), name_.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
  if (replaces && S_ISREG(there.st_mode) && ::fchmod(descriptor_.get(), there.st_mode & 07777) != 0)
    return cannot_be("given the mode of the file that it replaces", target_);
  if (overwrite == Overwrite::in_place) AEGIS_CHECK(check_in_place(target_));
  if (uninterrupted([&] { return ::fsync(descriptor_.get()); }) != 0) return cannot_be("written", target_);
  AEGIS_CHECK(overwrite == Overwrite::no ? put_new() : put_over());
  committed_ = true;
  if (uninterrupted([&] { return ::fsync(folder_.get()); }) != 0 && errno != EINVAL) {
    if (overwrite == Overwrite::no) take_back();
    return cannot_be("kept: its folder is not synced", target_);
  }
  return {};
}

Result<void> StagedFile::put_new() {
  if (temporary_.empty()) {
    if (uninterrupted([&] { return link_to(name_) ? 0 : -1; }) == 0) return {};
  } else {
    if (::renameat2(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str(), RENAME_NOREPLACE) == 0) {
      temporary_.clear();
      return {};
    }
    // Not every file system knows the flag; a second name does not replace either.
    if ((errno == EINVAL || errno == ENOSYS) && link_to(name_)) return {};
  }
  return errno == EEXIST ? exists(target_) : cannot_be("put in place", target_);
}

Result<void> StagedFile::put_over() {
  if (temporary_.empty()) AEGIS_CHECK(name_it());
  if (::renameat(folder_.get(), temporary_.c_str(), folder_.get(), name_.c_str()) != 0)
    return cannot_be("put in place", target_);
  temporary_.clear();
  return {};
}

bool StagedFile::link_to(const std::string& name) const {
  if (!temporary_.empty()) return ::linkat(folder_.get(), temporary_.c_str(), folder_.get(), name.c_str(), 0) == 0;
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_.get());
  return ::linkat(AT_FDCWD, self.c_str(), folder_.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Gives the nameless file a free name beside the target, to be renamed over it.
Result<void> StagedFile::name_it() {
  for (int i = 0; i < 1000; ++i) {
    std::string name = temporary_name(i);
    if (link_to(name)) {
      temporary_ = std::move(name);
      return {};
    }
    if (errno != EEXIST && errno != EINTR) break;
  }
  return cannot_be("put in place", target_);
}

bool StagedFile::is_temporary(std::string_view name) { return name.starts_with(prefix) && name.ends_with(suffix); }

void StagedFile::take_back() const { ::unlinkat(folder_.get(), name_.c_str(), 0); }

}  // namespace aegis
