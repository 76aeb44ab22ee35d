// TensorProto files (input_0.pb) to Tensor and back.
#pragma once

#include <string>
#include <string_view>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};
// Reads serialised TensorProto bytes; every data field is understood. Errors: not a TensorProto, wrong payload size,
// strings.
Result<NamedTensor> tensor_from_pb(std::string_view bytes);
std::string tensor_to_pb(const Tensor& tensor, std::string_view name);

}  // namespace aegis
