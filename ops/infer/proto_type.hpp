// Between ONNX's TypeProto and ValueType. Internal to inference: includes ONNX's headers.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <string>

#include "model/tensor.hpp"

#include "ops/type.hpp"

namespace aegis::inference {

// `symbol` turns a dim_param into a Dim (a symbol that the table knows, or unknown).
using SymbolOf = std::function<Dim(const std::string&)>;
ValueType from_proto(const onnx::TypeProto& type, const SymbolOf& symbol);
// Symbols and unknown extents become extents without a value.
onnx::TypeProto to_proto(const ValueType& type);
onnx::TensorProto to_proto(const Tensor& tensor);
// False for a tensor whose payload was cut out of the skeleton or lies in another file.
bool has_payload(const onnx::TensorProto& tensor);

}  // namespace aegis::inference
