// Every TensorProto of a model, wherever it hides: initializers, sparse ones, attributes, subgraphs, functions,
// training.
#pragma once

#include <functional>
#include <string_view>

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace aegis {

// `owner` is the tensor's own name, or the name of what holds it.
using TensorVisitor = std::function<void(const onnx::TensorProto& tensor, std::string_view owner)>;
void for_each_tensor(const onnx::ModelProto& model, const TensorVisitor& visit);

using TensorEditor = std::function<void(onnx::TensorProto& tensor)>;
void edit_each_tensor(onnx::ModelProto& model, const TensorEditor& edit);

}  // namespace aegis
