// Turns a compute type or an element size into a template argument.
#pragma once

#include <cstdint>

#include "ops/prim.hpp"

namespace aegis::kernels {

// Calls f with a value of the C++ type that `compute` calculates in.
template <class F>
void with_compute(Compute compute, F&& f) {
  switch (compute) {
    case Compute::f32: return f(float{});
    case Compute::f64: return f(double{});
    case Compute::i64: return f(std::int64_t{});
    case Compute::u64: return f(std::uint64_t{});
  }
}

struct Wide {  // a complex number
  std::uint64_t low, high;
};
// Calls f with an unsigned integer of the size of `type`; false for strings and packed types.
template <class F>
bool with_element(DType type, F&& f) {
  switch (bits(type)) {
    case 8: f(std::uint8_t{}); return true;
    case 16: f(std::uint16_t{}); return true;
    case 32: f(std::uint32_t{}); return true;
    case 64: f(std::uint64_t{}); return true;
    case 128: f(Wide{}); return true;
    default: return false;
  }
}

}  // namespace aegis::kernels
