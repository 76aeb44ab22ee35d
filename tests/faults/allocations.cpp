#include "tests/faults/allocations.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

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

static void* allocate(std::size_t size, std::size_t alignment) {
  if (count++ == failing) return nullptr;
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
