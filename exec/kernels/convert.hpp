// Loads and stores of kernels: from a stored type to the compute type and back. A store rounds once, to nearest even;
// floats become integers toward zero and saturate, NaN gives 0; integers wrap; NaN is stored as the canonical NaN.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/dtype.hpp"

namespace aegis::kernels {

// C is float, double, std::int64_t or std::uint64_t. Elements first .. first + count - 1 of an array of `type`.
template <class C>
void load(DType type, const std::byte* data, std::int64_t first, std::int64_t count, C* to);
template <class C>
void store(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first);
// As Cast stores: 8-bit floats take what is out of range as the largest finite value when `saturate`, else as infinity
// or NaN; packed integers wrap.
template <class C>
void store_cast(DType type, const C* from, std::int64_t count, std::byte* data, std::int64_t first, bool saturate);

// True when load and store know the type.
bool has_conversion(DType type);

}  // namespace aegis::kernels
