// Model: what a file is. ONNX's own ModelProto with the heavy bytes taken out (the skeleton), an index beside it
// (nodes, values, uses, scopes) and a table of tensor sources. No operator knowledge lives here.
//
// A Model is immutable and cheap to copy (shared state); only load, parse_text and apply make one. This header names
// ONNX's classes without including their headers, which cost seconds in every file that sees them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/ids.hpp"
#include "model/tensor.hpp"

namespace onnx {
class AttributeProto;
class FunctionProto;
class GraphProto;
class ModelProto;
class NodeProto;
class TypeProto;
}  // namespace onnx

namespace aegis {

struct Use {
  NodeId node = NodeId::none;  // none: the value is an output of `scope`, at position `slot`
  std::uint32_t slot = 0;
  ScopeId scope = ScopeId::none;  // where the reader stands
};

struct Node {
  NodeId id = NodeId::none;
  ScopeId scope = ScopeId::none;
  bool alive = false;                    // false: dropped by an edit; the id stays taken
  std::string_view op, domain, name;     // domain "ai.onnx" reads as ""
  std::vector<ValueId> inputs, outputs;  // ValueId::none where an optional slot is empty
  std::vector<ScopeId> bodies;           // subgraphs that its attributes hold
  ScopeId function = ScopeId::none;      // the model-local function that it calls
  const onnx::NodeProto* proto = nullptr;
};

struct Value {
  ValueId id = ValueId::none;
  ScopeId scope = ScopeId::none;
  bool alive = false;
  std::string_view name;
  NodeId producer = NodeId::none;
  std::vector<Use> uses;                      // readers in any scope, then scope outputs
  bool input = false;                         // a formal input of its scope
  bool output = false;                        // an output of its scope
  bool initializer = false;                   // has stored data; with `input`: a caller may override it
  const onnx::TypeProto* declared = nullptr;  // from input, output or value_info; null when undeclared
};

enum class ScopeKind : std::uint8_t { main_graph, subgraph, function };

struct Scope {
  ScopeId id = ScopeId::none;
  ScopeKind kind = ScopeKind::main_graph;
  ScopeId parent = ScopeId::none;
  NodeId owner = NodeId::none;  // the If, Loop or Scan that holds a subgraph
  std::string attribute;        // the owner's attribute: "then_branch", "body"
  std::string path;             // "/", "/If_3/then_branch", "/function:domain:name"
  std::vector<NodeId> nodes;    // in file order
  std::vector<ValueId> inputs, outputs, initializers;
  const onnx::GraphProto* graph = nullptr;        // main graph and subgraphs
  const onnx::FunctionProto* function = nullptr;  // functions
};

struct Opset {
  std::string domain;
  std::int64_t version = 0;
};

// What became of a value of an earlier Model; a value that is not in the table is the same as before.
struct Origin {
  enum class Kind : std::uint8_t { padded, cast, clone } kind = Kind::clone;
  ValueId from = ValueId::none;
  // For padded: per axis the runs of (valid, padding) lanes; an axis without padding has no entry.
  struct Axis {
    int axis = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> runs;
    std::optional<double> lane;  // constant in the padding lanes, when known
  };
  std::vector<Axis> axes;
};

class Model {
 public:
  Model();  // an empty model: no nodes
  ~Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;

  const onnx::ModelProto& proto() const;
  std::span<const Node> nodes() const;    // indexed by NodeId; look at `alive`
  std::span<const Value> values() const;  // indexed by ValueId; look at `alive`
  std::span<const Scope> scopes() const;  // indexed by ScopeId; [0] is the main graph
  const Node& node(NodeId id) const { return nodes()[index(id)]; }
  const Value& value(ValueId id) const { return values()[index(id)]; }
  const Scope& scope(ScopeId id) const { return scopes()[index(id)]; }
  const Scope& main() const { return scopes()[0]; }

  // The value that `name` means when it is read in `scope` (outer scopes are searched); none when undefined.
  ValueId find(std::string_view name, ScopeId scope = ScopeId::main) const;
  // True when any scope has a value or a node of that name: what a fresh name must avoid.
  bool name_taken(std::string_view name) const;

  // The stored constant behind a value: an initializer, or the output of a Constant node. Null for other values.
  // A graph input with an initializer counts only when it may not be overridden (IR < 4 or not an input).
  const TensorSource* constant(ValueId id) const;
  // The initializer's payload even when a caller may override it.
  const TensorSource* initializer(ValueId id) const;

  std::int64_t ir_version() const;
  std::int64_t opset(std::string_view domain = "") const;  // 0 when not imported
  std::vector<Opset> opsets() const;
  const std::string& path() const;   // the file it was loaded from; empty when made in memory
  std::uint64_t file_bytes() const;  // 0 when made in memory
  // What load found wrong although the rest can be used: IO905, IO906 and IO909, at most one of each for each place.
  const std::vector<Error>& load_findings() const;
  bool edited() const;                               // false: equal to the file at path()
  const std::map<ValueId, Origin>& origins() const;  // accumulated over all edits since load

  struct State;  // model/state.hpp, for model/ alone
  explicit Model(std::shared_ptr<const State> state);
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

// A place in words: the node's name, or "#17" with its position in the scope when it has none.
std::string label(const Model& model, NodeId node);

}  // namespace aegis
