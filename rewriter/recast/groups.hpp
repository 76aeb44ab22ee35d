// Type groups: float slots of a model that must agree in type.
//
// A slot is one input or output of a node, or one formal input or output of a subgraph. The slots of one node that
// share a schema variable form one group; Loop, Scan and If join the groups of what they carry with those of their
// bodies. An ordinary value is no join: it is an edge between the group that makes it and the groups that read it,
// where a Cast may stand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"
#include "rewriter/pass.hpp"

namespace aegis::recast {

// What a slot holds, besides a group (numbers >= 0).
inline constexpr int wide = -1;    // FLOAT whatever happens: the public interface, a function body
inline constexpr int narrow = -2;  // reads the narrow type already: the input of a Cast to it
inline constexpr int any = -3;     // takes whichever float type comes: the input of a Cast
inline constexpr int none = -4;    // no FLOAT tensor

struct Block {
  NodeId node = NodeId::none;  // who stands in the way
  std::string cause;           // "schema: Conv takes bfloat16 from opset 22", "PR318", "kept by the user"
  std::int64_t floor = 0;      // the opset at which this block would fall; 0: none
};

struct Group {
  std::vector<Block> blocks;  // empty: may be narrow
  std::int64_t flops = 0;     // of the nodes whose main slot is here
};

struct Question {
  const Model* model = nullptr;
  const TypeTable* types = nullptr;
  const PrecisionOptions* options = nullptr;
  std::string runtime;  // one runtime, or "schema"
};

class TypeGroups {
 public:
  explicit TypeGroups(const Question& question);

  const std::vector<Group>& groups() const { return groups_; }
  int input(NodeId node, std::size_t slot) const { return group_of(node_base_[index(node)] + slot); }
  int output(NodeId node, std::size_t slot) const;
  int scope_output(ScopeId scope, std::size_t slot) const;  // `wide` in the main graph
  int use(const Use& reader) const;                         // input or scope_output
  int source(ValueId value) const;                          // the group that makes it; `wide` for public inputs
  // The group that the node's arithmetic belongs to; `none`: no float, or narrow already.
  int main_group(NodeId node) const { return main_[index(node)]; }

 private:
  friend class SlotJoiner;
  friend class GroupBlocker;
  int group_of(std::size_t slot) const { return slots_[slot]; }
  std::size_t input_slot(const Node& node, std::size_t i) const { return node_base_[index(node.id)] + i; }
  std::size_t output_slot(const Node& node, std::size_t i) const { return input_slot(node, node.inputs.size() + i); }
  std::size_t formal_slot(const Scope& scope, std::size_t i) const { return scope_base_[index(scope.id)] + i; }
  std::size_t result_slot(const Scope& scope, std::size_t i) const {
    return formal_slot(scope, scope.inputs.size() + i);
  }

  const Model* model_;
  std::vector<std::size_t> node_base_, scope_base_;  // first slot: inputs, then outputs
  std::vector<int> slots_;
  std::vector<int> source_, main_;
  std::vector<Group> groups_;
};

// A FLOAT tensor, as the value table says.
bool is_wide(const TypeTable& types, ValueId value);
// Stands in a model-local function, or in a subgraph of one.
bool in_function(const Model& model, ScopeId scope);
// The `to` of a Cast; undefined for other nodes.
DType cast_target(const Node& node);

}  // namespace aegis::recast
