// Pointers: small texts that stand where a large file belongs. Git LFS leaves one in the place of the file, DVC leaves
// FILE.dvc beside it. Where the local store has the object, that is what is read; nothing is fetched.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/file.hpp"
#include "model/result.hpp"

namespace aegis {

// The object that `file` points to. Absent: it is no pointer. Errors: IO902 when the store lacks the object, or when
// pointers are not to be resolved.
std::optional<Result<std::shared_ptr<const File>>> behind_pointer(const File& file, bool resolve);
// The same for the DVC pointer beside a path at which there is no file.
std::optional<Result<std::shared_ptr<const File>>> behind_dvc_pointer(const std::string& path, bool resolve);

}  // namespace aegis
