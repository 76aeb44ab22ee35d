// Types and shapes of every value in every scope, from ONNX's own schema inference functions. One walk hands each
// node's context over our index to its schema: no ModelProto copy, any node can be inferred again alone, and a node
// that fails, fails alone.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/type.hpp"

namespace aegis {

// Numbers for symbolic dims, and shapes for graph inputs.
struct Binding {
  std::map<std::string, std::int64_t> symbols;              // --bind batch=8
  std::map<std::string, std::vector<std::int64_t>> shapes;  // --shapes images:8x3x640x640
  bool assume = false;  // give unbound symbols a number (ops/infer/infer.cpp says which); they are marked as assumed
};

struct InferenceFailure {
  NodeId node = NodeId::none;
  std::string message;
};

struct Symbol {
  std::string name;  // the dim_param, or "input:axis" for an extent without a name
  std::optional<std::int64_t> bound, assumed;
};

struct TypeTable {
  std::vector<ValueType> types;                  // by ValueId
  std::vector<std::vector<std::int64_t>> known;  // by ValueId: elements of small integer values found by propagation
  std::vector<bool> has_known;
  std::vector<Symbol> symbols;
  std::vector<InferenceFailure> failures;  // schema functions that refused their node
  std::vector<NodeId> without_schema;      // no schema at the imported opset
  std::uint64_t nodes_inferred = 0;

  const ValueType& of(ValueId id) const { return types[index(id)]; }
};

TypeTable infer(const Model& model, const Binding& binding);

// One node alone: output types from input types and from the inputs whose bytes are known (null where not).
// Errors: no schema, or the schema's function refuses (the message is the function's).
Result<std::vector<ValueType>> infer_node(const Model& model, const Node& node, std::span<const ValueType> inputs,
                                          std::span<const Tensor* const> constants);

// The schema version of a node's operator at an opset: since_version, or 0 when there is none.
int since_version(const Node& node, std::int64_t opset);

// For each type variable of the schema: which float types it may be. Slots share a variable when they share the index.
struct SlotTypes {
  int variable = -1;           // -1: a fixed type, no variable
  std::uint64_t allowed = 0;   // bit = DType number, tensors only
  bool variadic_free = false;  // a heterogeneous variadic slot: every element has a type of its own
};
struct SchemaTypes {
  int since_version = 0;
  bool has_body = false;                   // defined by an ONNX function body
  std::vector<SlotTypes> inputs, outputs;  // for the slots that this node has
};
std::optional<SchemaTypes> schema_types(const Node& node, std::int64_t opset);

}  // namespace aegis
