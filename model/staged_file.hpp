// StagedFile: a file that appears whole or not at all. Bytes go to a file without a name in the target's folder (or,
// where the file system has no such files, to a temporary one that is removed again); commit() syncs it and gives it
// its name. A killed writer leaves nothing behind. A target that is no regular file (a device, a pipe) is written to as
// it stands, never replaced.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/result.hpp"
#include "model/save.hpp"

namespace aegis {

class StagedFile {
 public:
  explicit StagedFile(std::string target) : target_(std::move(target)) {}
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  // Errors of all three: IO903 with the system's reason.
  Result<void> open();
  Result<void> write(std::span<const std::byte> piece);
  Result<void> commit(Overwrite overwrite);

 private:
  Error failed(std::string_view what) const;
  Result<void> open_direct();
  Result<void> open_named();
  Result<void> name_it();
  bool link_to(const std::string& name) const;

  std::string target_, temporary_;
  int descriptor_ = -1;
  bool direct_ = false;  // the target itself is open
};

}  // namespace aegis
