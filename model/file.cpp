#include "model/file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/open_file.hpp"

namespace aegis {
namespace {

Error unreadable(const std::string& name, std::string why) {
  return Error{.fault = Fault::file, .code = "IO903", .message = std::move(why), .where = name};
}

FileIdentity identity_of(const struct stat& info) {
  const auto ns = [](const timespec& t) { return t.tv_sec * 1'000'000'000 + t.tv_nsec; };
  return {.device = info.st_dev,
          .inode = info.st_ino,
          .size = static_cast<std::uint64_t>(info.st_size),
          .changed_ns = ns(info.st_ctim),
          .modified_ns = ns(info.st_mtim)};
}

}  // namespace

Result<std::shared_ptr<const File>> File::open(const std::string& path) {
  const int descriptor = open_file(path);
  if (descriptor < 0)
    return unreadable(path, fmt::format("cannot be opened: {}; give the path of an ONNX file", std::strerror(errno)));
  return adopt(descriptor, path);
}

Result<std::shared_ptr<const File>> File::adopt(int descriptor, std::string name) {
  std::shared_ptr<File> file(new File);
  file->descriptor_ = descriptor;
  struct stat info{};
  if (::fstat(descriptor, &info) != 0)
    return unreadable(name, fmt::format("cannot be looked at: {}", std::strerror(errno)));
  if (S_ISDIR(info.st_mode)) return unreadable(name, "is a folder, expected a file; name a file inside it");
  if (!S_ISREG(info.st_mode)) return unreadable(name, "is not a regular file, expected one; copy it to a file first");
  file->size_ = static_cast<std::uint64_t>(info.st_size);
  file->identity_ = identity_of(info);
  file->name_ = std::move(name);
  return std::shared_ptr<const File>(std::move(file));
}

std::shared_ptr<const File> File::in_memory(std::string bytes, std::string name) {
  std::shared_ptr<File> file(new File);
  file->size_ = bytes.size();
  file->bytes_ = std::move(bytes);
  file->name_ = std::move(name);
  return file;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<void> File::unchanged() const {
  if (descriptor_ < 0) return {};
  struct stat info{};
  if (::fstat(descriptor_, &info) == 0 && identity_of(info) == identity_) return {};
  return Error{.fault = Fault::file,
               .code = "IO907",
               .message = "has changed since it was opened; run again when nothing writes it",
               .where = name_};
}

Result<void> File::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_ || out.size() > size_ - offset)
    return Error{.fault = Fault::file,
                 .code = "IO903",
                 .message = fmt::format("{} bytes at offset {} lie past the end of {} bytes; the file is cut off, "
                                        "fetch it again",
                                        out.size(), offset, size_),
                 .where = name_};
  bytes_read_ += out.size();
  if (descriptor_ < 0) {
    ++reads_;
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
    return {};
  }
  std::size_t done = 0;
  while (done < out.size()) {
    ++reads_;
    const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return Error{.fault = Fault::file,
                   .code = got == 0 ? "IO907" : "IO903",
                   .message = got == 0
                                  ? std::string("became shorter while it was read; run again when nothing writes it")
                                  : fmt::format("cannot be read at offset {}: {}", offset + done, std::strerror(errno)),
                   .where = name_};
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace aegis
