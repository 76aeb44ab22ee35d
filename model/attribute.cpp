#include "model/attribute.hpp"

#include "model/state.hpp"

namespace aegis {
namespace {

const onnx::AttributeProto* find(const Node& node, std::string_view name) {
  if (node.proto == nullptr) return nullptr;
  for (const auto& a : node.proto->attribute())
    if (a.name() == name && a.ref_attr_name().empty()) return &a;
  return nullptr;
}

}  // namespace

bool has_attribute(const Node& node, std::string_view name) { return find(node, name) != nullptr; }

std::int64_t attribute(const Node& node, std::string_view name, std::int64_t otherwise) {
  const auto* a = find(node, name);
  return a != nullptr && a->type() == onnx::AttributeProto::INT ? a->i() : otherwise;
}

float attribute(const Node& node, std::string_view name, float otherwise) {
  const auto* a = find(node, name);
  return a != nullptr && a->type() == onnx::AttributeProto::FLOAT ? a->f() : otherwise;
}

std::string attribute(const Node& node, std::string_view name, const char* otherwise) {
  const auto* a = find(node, name);
  return a != nullptr && a->type() == onnx::AttributeProto::STRING ? a->s() : otherwise;
}

std::optional<std::vector<std::int64_t>> attribute_ints(const Node& node, std::string_view name) {
  const auto* a = find(node, name);
  if (a == nullptr || a->type() != onnx::AttributeProto::INTS) return std::nullopt;
  return std::vector<std::int64_t>(a->ints().begin(), a->ints().end());
}

std::optional<std::vector<float>> attribute_floats(const Node& node, std::string_view name) {
  const auto* a = find(node, name);
  if (a == nullptr || a->type() != onnx::AttributeProto::FLOATS) return std::nullopt;
  return std::vector<float>(a->floats().begin(), a->floats().end());
}

std::optional<std::vector<std::string>> attribute_strings(const Node& node, std::string_view name) {
  const auto* a = find(node, name);
  if (a == nullptr || a->type() != onnx::AttributeProto::STRINGS) return std::nullopt;
  return std::vector<std::string>(a->strings().begin(), a->strings().end());
}

std::optional<Tensor> attribute_tensor(const Node& node, std::string_view name) {
  const auto* a = find(node, name);
  if (a == nullptr || a->type() != onnx::AttributeProto::TENSOR || payload_marker(a->t())) return std::nullopt;
  auto tensor = tensor_source(a->t(), {}).read();
  return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
}

}  // namespace aegis
