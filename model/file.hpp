// File: a read-only file behind pread, or bytes in memory behind the same face. Reads never move a shared position,
// so any number of threads may read one File.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "model/result.hpp"

namespace aegis {

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
  // Fills `out` from `offset`. Errors: past the end, or the file became shorter while it was read (IO907).
  Result<void> read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  File() = default;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string name_, bytes_;
};

}  // namespace aegis
