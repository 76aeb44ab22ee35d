#include "linter/host/attributes.hpp"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <charconv>

#include "model/attribute.hpp"

namespace aegis::host {

static const onnx::AttributeProto* stored(const Node& node, std::string_view name) {
  for (const auto& attribute : node.proto->attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

static const onnx::AttributeProto* from_schema(const Model& model, const Node& node, std::string_view name) {
  const auto* schema = onnx::OpSchemaRegistry::Schema(std::string(node.op), static_cast<int>(model.opset(node.domain)),
                                                      std::string(node.domain));
  if (!schema) return nullptr;
  const auto attribute = schema->attributes().find(std::string(name));
  if (attribute == schema->attributes().end() || !attribute->second.default_value.has_type()) return nullptr;
  return &attribute->second.default_value;
}

bool read_attribute(const Model& model, const Node& node, std::string_view name, Arena& arena, aegis_attribute& out) {
  const onnx::AttributeProto* attribute = stored(node, name);
  out.from_schema = attribute ? 0 : 1;
  if (!attribute) attribute = from_schema(model, node, name);
  if (!attribute) return false;
  out.kind = static_cast<std::uint32_t>(attribute->type());
  out.name = abi::str(attribute->name());
  out.i = attribute->i();
  out.f = static_cast<double>(attribute->f());
  out.s = abi::str(attribute->s());
  switch (attribute->type()) {
    case onnx::AttributeProto::INTS:
      out.items = arena.list(std::vector<std::int64_t>(attribute->ints().begin(), attribute->ints().end()));
      break;
    case onnx::AttributeProto::FLOATS:
      out.items = arena.list(std::vector<double>(attribute->floats().begin(), attribute->floats().end()));
      break;
    case onnx::AttributeProto::STRINGS: {
      std::vector<aegis_str> texts;
      for (const auto& text : attribute->strings()) texts.push_back(abi::str(text));
      out.items = arena.list(std::move(texts));
      break;
    }
    case onnx::AttributeProto::TENSOR:
      if (auto tensor = attribute_tensor(node, name)) out.tensor = arena.tensor(std::move(*tensor));
      break;
    case onnx::AttributeProto::GRAPH:
      for (const ScopeId body : node.bodies) {
        if (model.scope(body).attribute == name) out.graph = {static_cast<std::uint32_t>(body)};
      }
      break;
    default: break;
  }
  return true;
}

template <class Entries>
static std::string_view find_entry(const Entries& entries, std::string_view key) {
  for (const auto& entry : entries) {
    if (entry.key() == key) return entry.value();
  }
  return {};
}

std::string_view metadata(const Model& model, aegis_place place, std::string_view key) {
  if (place.kind == AEGIS_PLACE_MODEL) return find_entry(model.proto().metadata_props(), key);
  if (place.kind == AEGIS_PLACE_NODE && place.id < model.nodes().size()) {
    return find_entry(model.nodes()[place.id].proto->metadata_props(), key);
  }
  if (place.kind != AEGIS_PLACE_VALUE || place.id >= model.values().size()) return {};
  const Value& value = model.values()[place.id];
  const onnx::GraphProto* graph = value.scope == ScopeId::none ? nullptr : model.scope(value.scope).graph;
  if (!graph) return {};
  for (const auto* infos : {&graph->input(), &graph->output(), &graph->value_info()}) {
    for (const auto& info : *infos) {
      if (info.name() == value.name) return find_entry(info.metadata_props(), key);
    }
  }
  return {};
}

ModelTexts model_texts(const Model& model) { return {model.proto().producer_name(), model.proto().producer_version()}; }

// The innermost frame of a trace: the last `File "net.py", line 12, in forward`.
static SourcePosition innermost_frame(std::string_view trace) {
  const std::size_t file = trace.rfind("File \"");
  if (file == std::string_view::npos) return {};
  trace.remove_prefix(file + 6);
  const std::size_t quote = trace.find('"');
  const std::size_t line = trace.find("line ", quote == std::string_view::npos ? trace.size() : quote);
  if (line == std::string_view::npos) return {};
  SourcePosition out{.file = trace.substr(0, quote), .module = {}, .line = 0};
  const char* digits = trace.data() + line + 5;
  std::from_chars(digits, trace.data() + trace.size(), out.line);
  return out;
}

SourcePosition source_position(const Node& node) {
  std::string_view trace = node.proto->doc_string(), module;
  for (const auto& entry : node.proto->metadata_props()) {
    if (entry.key() == "pkg.torch.onnx.stack_trace") trace = entry.value();
    if (entry.key() == "namespace") module = entry.value();
  }
  SourcePosition out = innermost_frame(trace);
  out.module = module;
  return out;
}

}  // namespace aegis::host
