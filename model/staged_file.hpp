// StagedFile: a file that appears whole or not at all. Bytes go to a file without a name in the target's folder (or,
// where the file system has no such files, to one with a temporary name); commit() syncs it, gives it its name and
// syncs the folder. A killed writer leaves at most a file behind that is_temporary knows. A target that is no regular
// file (a device, a pipe) is written to as it stands, never replaced.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/descriptor.hpp"
#include "model/file.hpp"
#include "model/result.hpp"
#include "model/save.hpp"

namespace aegis {

// The mode of a file that is made in its likeness; null or in memory: the usual one.
mode_t mode_of(const File* file);

class StagedFile {
 public:
  // The names of files that are not finished.
  static bool is_temporary(std::string_view name);

  explicit StagedFile(std::string target);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // `mode` is what a new file gets, less the umask; one that is replaced hands its own on. Errors of all: the
  // system's reason.
  Result<void> open(mode_t mode = 0666);
  // The same below `folder`, an open descriptor, which is where the name of the target is then looked up.
  Result<void> open_in(int folder, mode_t mode);
  Result<void> write(std::span<const std::byte> bytes);
  Result<void> copy(const File& from, std::uint64_t offset, std::uint64_t length);
  // What stands in the file so far, to be read again; null for a device or a pipe.
  Result<std::shared_ptr<const File>> read_back();
  Result<void> commit(Overwrite overwrite);
  // For a file that others may share: one that stands there with the same bytes is as good, a different one is an
  // error.
  Result<void> commit_or_match();
  // Gives the target another name in its folder, before commit.
  void rename(std::string name);

  bool committed() const { return committed_; }
  // Takes a committed file away again.
  void take_back() const;
  const std::string& target() const { return target_; }

 private:
  Result<void> open_temporary(mode_t mode);
  Result<void> flush();
  Result<void> put_new();
  Result<void> put_over();
  Result<void> name_it();
  bool link_to(const std::string& name) const;

  std::string target_, name_, temporary_;
  Descriptor folder_{-1}, descriptor_{-1};
  bool direct_ = false;  // the target itself is open
  bool committed_ = false;
  std::vector<std::byte> buffer_;
};

}  // namespace aegis
