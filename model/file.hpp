// File: a read-only file behind pread, or bytes in memory behind the same face. Reads never move a shared position,
// so any number of threads may read one File.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "model/result.hpp"

namespace aegis {

// What tells one state of a file from another.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t changed_ns = 0, modified_ns = 0;  // ctime and mtime
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class File {
 public:
  // Opens a regular file. Errors: IO903 with the system's reason; a folder, pipe or device is refused, not opened.
  static Result<std::shared_ptr<const File>> open(const std::string& path);
  // Takes over an open descriptor; the same errors for what is no regular file.
  static Result<std::shared_ptr<const File>> adopt(int descriptor, std::string name);
  static std::shared_ptr<const File> in_memory(std::string bytes, std::string name);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  // The open descriptor, for system calls that copy from one file to another; -1 for bytes in memory.
  int descriptor() const { return descriptor_; }
  // As it was when it was opened; all zeros for bytes in memory.
  const FileIdentity& identity() const { return identity_; }
  // IO907 when the file has changed since it was opened.
  Result<void> unchanged() const;
  // Fills `out` from `offset`. Errors: past the end, or the file became shorter while it was read (IO907).
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const;

  // How often and how much was read so far: what a test holds a walk to.
  std::uint64_t reads() const { return reads_; }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  File() = default;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  FileIdentity identity_;
  std::string name_, bytes_;
  mutable std::atomic<std::uint64_t> reads_ = 0, bytes_read_ = 0;
};

}  // namespace aegis
