// Window: a moving buffer over a File for a walk that mostly goes forward. It reads 4 KiB where the walk lands after a
// jump, and twice as much each time that the walk goes on from there, up to 64 KiB: a file of weights costs one small
// read for each, a file of nodes few large ones.
#pragma once

#include <cstdint>
#include <span>

#include "model/file.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

class Window {
 public:
  explicit Window(const File& file) : file_(file) {}

  std::uint64_t begin() const { return start_; }
  std::uint64_t end() const { return start_ + filled_; }
  bool holds(std::uint64_t at, std::uint64_t length) const {
    return at >= start_ && length <= end() - at && at <= end();
  }
  // The bytes from `at` to the end of the window; `at` lies inside it.
  std::span<const std::byte> from(std::uint64_t at) const {
    return std::span(buffer_).subspan(static_cast<std::size_t>(at - start_), static_cast<std::size_t>(end() - at));
  }
  // Moves the window so that it holds at least the next KiB from `at`, which lies inside the file. Errors: those of
  // File::read.
  Result<void> move_to(std::uint64_t at);

 private:
  static constexpr std::size_t smallest = 4u << 10, largest = 64u << 10;

  const File& file_;
  std::uint64_t start_ = 0;
  std::size_t filled_ = 0, next_ = smallest;
  Bytes buffer_;
};

}  // namespace aegis
