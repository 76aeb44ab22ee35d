#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>

#include "ops/infer.hpp"
#include "ops/infer/context.hpp"

namespace aegis {
namespace {

const onnx::OpSchema* schema(const Node& node, std::int64_t opset) {
  return inference::schema_of(std::string(node.op), std::string(node.domain), static_cast<int>(opset));
}

// "tensor(float)" -> the bit of FLOAT; other kinds of type have no bit.
std::uint64_t type_bit(std::string_view text) {
  if (!text.starts_with("tensor(") || !text.ends_with(")")) return 0;
  const auto dtype = dtype_from_name(text.substr(7, text.size() - 8));
  return dtype ? std::uint64_t{1} << static_cast<unsigned>(*dtype) : 0;
}

}  // namespace

int since_version(const Node& node, std::int64_t opset) {
  const auto* s = schema(node, opset);
  return s == nullptr ? 0 : s->SinceVersion();
}

std::optional<SchemaTypes> schema_types(const Node& node, std::int64_t opset) {
  const auto* s = schema(node, opset);
  if (s == nullptr || s->Deprecated()) return std::nullopt;
  SchemaTypes out{.since_version = s->SinceVersion(), .has_body = s->HasFunction() || s->HasContextDependentFunction()};
  std::map<std::string, int> variables;
  const auto slots = [&](const auto& formals, std::size_t count) {
    std::vector<SlotTypes> list;
    for (std::size_t i = 0; i < count && !formals.empty(); ++i) {
      const auto& formal = formals[std::min(i, formals.size() - 1)];
      SlotTypes slot;
      const auto it = s->typeConstraintMap().find(formal.GetTypeStr());
      if (it == s->typeConstraintMap().end()) {
        slot.allowed = type_bit(formal.GetTypeStr());
      } else {
        slot.variable = variables.try_emplace(formal.GetTypeStr(), static_cast<int>(variables.size())).first->second;
        for (const auto& type : it->second.first) slot.allowed |= type_bit(*type);
      }
      slot.variadic_free = formal.GetOption() == onnx::OpSchema::Variadic && !formal.GetIsHomogeneous();
      list.push_back(slot);
    }
    return list;
  };
  out.inputs = slots(s->inputs(), node.inputs.size());
  out.outputs = slots(s->outputs(), node.outputs.size());
  return out;
}

}  // namespace aegis
