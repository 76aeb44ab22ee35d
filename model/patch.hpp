// Patch: a labelled proposal to change a Model. Passes make patches, apply() makes a new Model from them; the old one
// stays as it was and is the undo. Edits name existing things by id and new things by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

enum class Safety : std::uint8_t {
  exact,  // same bits
  close,  // the order of rounding may change
  lossy,  // fewer bits
};
std::string_view name(Safety safety);

struct AttributeValue {
  std::string name;
  // TypeName is for Cast's `to` and friends too: they are plain integers.
  std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>, Tensor> value;
};

namespace edit {

struct InsertNode {
  ScopeId scope = ScopeId::main;
  NodeId before = NodeId::none;  // none: at the end of the scope
  std::string op, domain, name;
  std::vector<std::string> inputs, outputs;  // names; empty = absent optional slot
  std::vector<AttributeValue> attributes;
};
struct DropNode {
  NodeId node;
};
struct SetInput {
  NodeId node;
  std::uint32_t slot;
  std::string value;
};  // value: a name visible in the node's scope
struct SetOutput {
  NodeId node;
  std::uint32_t slot;
  std::string value;
};  // the value gets another name
struct SetOp {
  NodeId node;
  std::string op, domain;
};
struct SetAttribute {
  NodeId node;
  AttributeValue attribute;
};
struct DropAttribute {
  NodeId node;
  std::string attribute;
};
// The node as another version of its operator reads it: a serialised NodeProto that replaces attributes and op.
struct ReplaceNode {
  NodeId node;
  std::string serialised;
};
struct SetTensor {
  ValueId value;
  TensorSource source;
};  // new payload and extents of an initializer
struct AddTensor {
  ScopeId scope;
  std::string name;
  TensorSource source;
};
struct DropTensor {
  ValueId value;
};
struct SetOpset {
  std::string domain;
  std::int64_t version;
};  // model and model-local functions alike
struct SetIrVersion {
  std::int64_t version;
};
// Replaces or adds the value_info entry; a null shape leaves the shape out. For an input or output of a subgraph it is
// the declaration that changes, and a null shape keeps the declared one.
struct SetValueInfo {
  ScopeId scope;
  std::string name;
  DType type;
  std::optional<std::vector<std::int64_t>> dims;
};
struct DropValueInfo {
  ScopeId scope;
  std::string name;
};

}  // namespace edit

using Edit =
    std::variant<edit::InsertNode, edit::DropNode, edit::SetInput, edit::SetOutput, edit::SetOp, edit::SetAttribute,
                 edit::DropAttribute, edit::ReplaceNode, edit::SetTensor, edit::AddTensor, edit::DropTensor,
                 edit::SetOpset, edit::SetIrVersion, edit::SetValueInfo, edit::DropValueInfo>;

struct Patch {
  std::string pass;   // "pad_dims"
  std::string label;  // "hidden 50 -> 56 in 2 layers"
  Safety safety = Safety::exact;
  bool same_bits = false;  // close, but on a strict engine every output keeps its bits (padding with zero terms)
  std::vector<Edit> edits;
  std::vector<std::pair<std::string, Origin>> origins;  // by name of a main-graph or inner value after the edit
};

// Applies the patches in order to one copy of the skeleton and indexes the result. Untouched tensors are shared.
// Scopes whose order an edit broke are sorted again, stably. Errors: an id that is not alive, two edits that set the
// same slot or attribute to different things, a name that is defined twice or not at all.
Result<Model> apply(const Model& model, std::span<const Patch> patches);

// Hands out names that no scope of the model and no earlier call has taken: "h/pad", "h/pad_1", ...
class FreshNames {
 public:
  explicit FreshNames(const Model& model) : model_(&model) {}
  std::string make(std::string_view base);

 private:
  const Model* model_;
  std::map<std::string, int, std::less<>> given_;
};

}  // namespace aegis
