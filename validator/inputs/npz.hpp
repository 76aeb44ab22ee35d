// NumPy's .npz: a zip archive of .npy arrays, stored or deflated, with or without zip64.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// The arrays by name, without ".npy". Errors (file): not a zip, a damaged or encrypted one, another compression, an
// array that npy.hpp refuses.
Result<std::map<std::string, Tensor>> tensors_from_npz(std::span<const std::byte> bytes, const std::string& where);

}  // namespace aegis
