// Bytes from one file into another. The kernel copies them by itself where it can; whatever it refuses is done with
// plain reads and writes, which say on which side something is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "model/file.hpp"
#include "model/result.hpp"

namespace aegis {

// Appends `length` bytes of `from`, beginning at `offset`, at the position of the descriptor `to`. Errors: IO907 when
// `from` became shorter, the system's reason otherwise; `name` is what `to` is called in it.
Result<void> copy_range(const File& from, std::uint64_t offset, std::uint64_t length, int to, const std::string& name);

// All of `bytes` at the position of `to`.
Result<void> write_to(int to, std::span<const std::byte> bytes, const std::string& name);

// The error of a system call that left its reason in errno.
Error cannot_be(std::string_view done, const std::string& name);

}  // namespace aegis
