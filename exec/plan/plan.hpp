// A plan of one scope for one set of input types: what each node does. Nodes are walked in order; output types come
// from ONNX's schema functions with the constants known so far, so shape arithmetic (Shape, Gather, Concat, Reshape)
// folds away while the plan is made. A node whose extents depend on values of the run is deferred: it is lowered when
// it is reached.
#pragma once

#include <functional>
#include <vector>

#include "exec/execute.hpp"
#include "exec/plan/liveness.hpp"
#include "ops/type.hpp"

namespace aegis {

struct Step {
  enum class Kind : std::uint8_t {
    fixed,     // all outputs are constants of the session
    known,     // all outputs were computed while planning
    program,   // lowered
    deferred,  // to be lowered at run time
    body,      // If, Loop, Scan, a call of a model-local function, or an operator that runs by its body
  } kind = Kind::program;
  NodeId node = NodeId::none;
  Program program;
  std::vector<Tensor> known;
};
struct Plan {
  std::vector<Step> steps;
};

// What a node is planned with.
struct Known {
  std::function<ValueType(ValueId)> type;
  std::function<const Tensor*(ValueId)> value;  // null when not known
  std::function<const Node&(NodeId)> node;      // as the present call sees it
};

// One node alone. Errors: the operator is not supported; its schema refuses the node.
Result<Lowered> lower_node(const Model& model, const Node& node, const Known& known);

// Plans a scope whose inputs and captured values have the types that `outside` gives. Errors name the node.
Result<Plan> make_plan(const Model& model, const ScopeOrder& order, const Known& outside, const Memory& memory,
                       Parallel& parallel);

// "MatMul node 'x' with inputs float[2, 3], float[4, 5]": for errors.
std::string describe(const Model& model, const Node& node, std::span<const ValueType> inputs);
// The same error with the node and its inputs in front, unless they are already there.
Error at_node(Error error, const Model& model, const Node& node, std::span<const ValueType> inputs);

bool is_control(const Node& node);  // If, Loop, Scan, or a model-local function
// exec/body.cpp: the operator has no lowering, but a body of other operators.
bool runs_by_body(const Model& model, const Node& node);
ValueType type_of(const Tensor& tensor);

}  // namespace aegis
