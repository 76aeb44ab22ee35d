#include "rewriter/recast/facts.hpp"

#include <algorithm>

#include "model/attribute.hpp"

namespace aegis::recast {
namespace {

bool standard(const Node& node) { return node.domain.empty(); }

bool constant_true(const Model& model, ValueId value) {
  if (value == ValueId::none) return false;
  const TensorSource* source = model.constant(value);
  if (source == nullptr || source->type != DType::boolean || source->elements() != 1) return false;
  const auto tensor = source->read();
  if (!tensor) return false;
  const auto elements = to_integers(*tensor);
  return elements && !elements->empty() && elements->front() != 0;
}

std::string_view fixed_everywhere(const Node& node, DType to, std::int64_t opset) {
  if (!standard(node)) return "";
  if (node.op == "MeanVarianceNormalization") return "its function body holds FLOAT constants";
  if (node.op == "BitCast") return "it works on bits, not on numbers";
  if (node.op == "SoftmaxCrossEntropyLoss" && to == DType::bf16 && opset < 22) {
    return "its function body takes bfloat16 from opset 22";
  }
  return "";
}

}  // namespace

std::string_view fixed_input(const Node& node, std::size_t slot, DType to, std::int64_t opset) {
  if (standard(node) && slot == 1 && (node.op == "QuantizeLinear" || node.op == "DequantizeLinear")) {
    return "the scale keeps its bits, so that integer codes stay comparable";
  }
  return fixed_everywhere(node, to, opset);
}

std::string_view fixed_output(const Node& node, std::size_t slot, DType to, std::int64_t opset) {
  if (standard(node) && slot > 0 && node.op == "LayerNormalization")
    return "stash_type sets the type of its statistics";
  if (standard(node) && node.op == "DequantizeLinear") return "its output follows the scale";
  return fixed_everywhere(node, to, opset);
}

bool one_type(const Node& node) { return standard(node) && node.op == "RMSNormalization"; }

TypeAttribute type_attribute(const Node& node) {
  if (!standard(node)) return {};
  const std::string_view op = node.op;
  if (op == "RandomNormal" || op == "RandomUniform") return {"dtype", false};
  if (op == "RandomNormalLike" || op == "RandomUniformLike" || op == "EyeLike" || op == "Bernoulli") {
    return {"dtype", true};
  }
  if (op == "BlackmanWindow" || op == "HannWindow" || op == "HammingWindow" || op == "MelWeightMatrix") {
    return {"output_datatype", false};
  }
  return {};
}

bool asks_for_raise(const Node& node) {
  return node.op != "QuantizeLinear" && node.op != "DequantizeLinear" && node.op != "QLinearMatMul";
}

std::string_view training(const Model& model, const Node& node) {
  if (node.domain == "ai.onnx.preview.training" || node.domain == "ai.onnx.training") return "a training operator";
  if (!standard(node)) return "";
  if (node.op == "BatchNormalization" && attribute(node, "training_mode", std::int64_t{0}) != 0) {
    return "normalisation in training mode";
  }
  if (node.op == "Dropout" && node.inputs.size() > 2 && constant_true(model, node.inputs[2])) {
    return "dropout in training mode";
  }
  return "";
}

}  // namespace aegis::recast
