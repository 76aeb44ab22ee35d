#include "rewriter/recast/verify.hpp"

#include <fmt/format.h>
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include "model/save.hpp"

namespace aegis::recast {

Result<void> verify(const Model& model) {
  onnx::ModelProto proto;
  checkable_proto(model, proto);
  try {
    onnx::checker::check_model(proto, true);
    const onnx::ShapeInferenceOptions strict{true, 1, true};
    onnx::shape_inference::InferShapes(proto, onnx::OpSchemaRegistry::Instance(), strict);
  } catch (const std::exception& failure) {
    return Error{.fault = Fault::internal, .message = fmt::format("onnx refuses the model: {}", failure.what())};
  }
  return {};
}

}  // namespace aegis::recast
