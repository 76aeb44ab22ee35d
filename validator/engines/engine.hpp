// Engine: what can run a model. `cpu`, the strict reference of exec/, is the one engine of this build; a second one
// (CUDA, ONNX Runtime) is another file here and a row in find_engine.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "exec/run.hpp"
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

class EngineSession {
 public:
  virtual ~EngineSession() = default;
  virtual Result<RunResult> run(const Feeds& feeds) const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // Nodes that it cannot run, with reasons; empty: all of them run.
  virtual std::vector<Unsupported> coverage(const Model& model) const = 0;
  virtual Result<std::unique_ptr<EngineSession>> prepare(const Model& model, const RunOptions& options) const = 0;
};

// Errors (usage): a name that no engine of this build has.
Result<const Engine*> find_engine(std::string_view name);

}  // namespace aegis
