// The session's inside: constants, plans by input types, and the walk over a scope's steps. Bodies of If, Loop and Scan
// and model-local functions run through the same walk (control.cpp).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "exec/memory.hpp"
#include "exec/parallel.hpp"
#include "exec/plan/call.hpp"
#include "exec/plan/plan.hpp"
#include "exec/run.hpp"

namespace aegis {

// The values of one run, by ValueId; ids are unique over all scopes, so bodies live in the same table.
struct Frame {
  std::vector<Tensor> values;
  Observer* observer = nullptr;
  struct Call {
    const Node* node = nullptr;  // without references to attributes of an outer call
    ScopeId function = ScopeId::none;
  };
  std::vector<Call> calls;  // of model-local functions, outermost first
};

class CpuEngine {
 public:
  CpuEngine(const Model& model, const RunOptions& options);

  // Reads the stored constants and folds what follows from them.
  Result<void> load_constants();
  Result<RunResult> run(const Feeds& feeds);

  // Runs a scope whose inputs are in the frame; gives its outputs and clears the scope's values.
  Result<std::vector<Tensor>> run_scope(ScopeId scope, Frame& frame);
  // A node as the present call sees it (exec/plan/call.hpp).
  const Node& node_in(NodeId id, const Frame& frame);
  // The tensor of a value that is a constant or was made in this run; null when it has none.
  const Tensor* find(ValueId value, const Frame& frame) const;

  const Model& model() const { return model_; }
  const Memory& memory() const { return memory_; }
  Parallel& parallel() { return *parallel_; }
  // The engine of a node's body (exec/body.cpp), made once for each key.
  Result<CpuEngine*> body_engine(const Node& node, const std::string& key, std::span<const ValueType> inputs);
  // Plans, nodes and bodies inside functions belong to the chain of calls that leads to them.
  static std::string call_path(const Frame& frame);

 private:
  CpuEngine(const Model& model, const CpuEngine& outer);
  Result<void> load_inputs(const Feeds& feeds, Frame& frame) const;
  Result<void> fold(NodeId node);
  Result<std::vector<Tensor>> run_node(const Node& node,
                                       const Frame& frame);  // lowered now, from the values of the run
  Result<std::vector<Tensor>> run_step(const Step& step, Frame& frame);
  Result<std::shared_ptr<const Plan>> plan_for(ScopeId scope, const Frame& frame);
  const Tensor* constant(ValueId value) const;
  const ScopeOrder& order(ScopeId scope);

  Model model_;
  RunOptions options_;
  std::shared_ptr<Parallel> parallel_;  // bodies share the threads and the memory
  Memory memory_;
  std::vector<Tensor> constants_;  // by ValueId; no data: not a constant
  std::mutex mutex_;               // of the caches below
  std::map<ScopeId, ScopeOrder> orders_;
  std::map<std::string, std::shared_ptr<const Plan>> plans_;
  std::map<std::string, std::unique_ptr<CallNode>> call_nodes_;
  std::map<std::string, std::unique_ptr<CpuEngine>> bodies_;
};

// Element type and extents as part of a key; values of another shape get another plan. Null: absent.
void append_type(std::string& key, const Tensor* tensor);

// exec/control.cpp: one If, Loop or Scan node, or a call of a model-local function; gives its outputs.
Result<std::vector<Tensor>> run_control(CpuEngine& engine, const Node& node, Frame& frame);
// exec/body.cpp: one node by the body that its schema gives it. `key` names the node and the calls that lead to it.
Result<std::vector<Tensor>> run_body(CpuEngine& engine, const Node& node, Frame& frame, std::string key);

}  // namespace aegis
