#include "tests/faults/allocations.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string_view>

namespace aegis::test {
namespace {

thread_local long count = 0, failing = -1;
std::atomic<long> alive = 0;

}  // namespace

void fail_allocation(long at) {
  count = 0;
  failing = at;
}
long allocations() { return count; }
long live() { return alive; }

// Protobuf and ONNX promise nothing when memory ends inside them: they may lose what they hold, or end the program.
static bool in_a_library() {
  std::array<void*, 256> frames{};
  const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < depth; ++i) {
    Dl_info info{};
    if (::dladdr(frames[static_cast<std::size_t>(i)], &info) == 0 || info.dli_sname == nullptr) continue;
    const std::string_view name = info.dli_sname;
    for (const std::string_view of : {"6google8protobuf", "4onnx"})
      if (const auto at = name.find(of); at != std::string_view::npos && at < 6) return true;
  }
  return false;
}

static void* allocate(std::size_t size, std::size_t alignment) {
  if (count++ == failing && !in_a_library()) return nullptr;
  void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory != nullptr) ++alive;
  return memory;
}
static void release(void* memory) {
  if (memory != nullptr) --alive;
  std::free(memory);
}

}  // namespace aegis::test

using aegis::test::allocate;
using aegis::test::release;

namespace {

constexpr std::size_t usual = alignof(std::max_align_t);

void* or_throw(std::size_t size, std::size_t alignment) {
  if (void* const memory = allocate(size == 0 ? 1 : size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return or_throw(size, usual); }
void* operator new[](std::size_t size) { return or_throw(size, usual); }
void* operator new(std::size_t size, std::align_val_t a) { return or_throw(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return or_throw(size, static_cast<std::size_t>(a)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size == 0 ? 1 : size, usual); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size == 0 ? 1 : size, usual); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
