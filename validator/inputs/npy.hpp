// NumPy's .npy: one array. Format: numpy.lib.format, versions 1.0 to 3.0.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// The array, dense and row-major, whatever byte order and memory order it was saved in. "V2" reads as bfloat16, which
// is how ml_dtypes saves it. Errors (file): not an .npy, a truncated one, pickled objects, structured or text types.
Result<Tensor> tensor_from_npy(std::span<const std::byte> bytes, const std::string& where);

}  // namespace aegis
