// Nothing throws across a module's border, memory that is not there included: what may allocate much is wrapped in
// guarded(), which turns std::bad_alloc into an Error.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "model/result.hpp"

namespace aegis {

// Short enough to be made without an allocation.
inline Error out_of_memory() { return Error{.fault = Fault::memory, .code = {}, .message = "out of memory"}; }

// The other way round, for who answers for a whole process that ran out.
inline void throw_if_out_of_memory(const Error& error) {
  if (error.fault == Fault::memory) throw std::bad_alloc();
}

template <class Work>
auto guarded(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace aegis
