// Nothing throws across a module's border, memory that is not there included: what may allocate much is wrapped in
// guarded(), which turns std::bad_alloc into an Error.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "model/result.hpp"

namespace aegis {

// Short enough to be made without an allocation.
inline Error out_of_memory() { return Error{.fault = Fault::internal, .code = {}, .message = "out of memory"}; }

template <class Work>
auto guarded(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace aegis
