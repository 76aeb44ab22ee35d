// Engine: what can run a model. `cpu`, the strict reference of exec/, is always there and is the only one that shows
// the values inside a model; `ort`, ONNX Runtime, is a second opinion written by others.
#pragma once

#include <memory>
#include <string>
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
  virtual std::string name() const = 0;  // with the version of what it calls: "cpu", "ort 1.32.0"
  virtual bool observes() const = 0;     // does a RunOptions::observer see anything
  // Nodes that it cannot run, with reasons; empty: none is known.
  virtual std::vector<Unsupported> coverage(const Model& model) const = 0;
  virtual Result<std::unique_ptr<EngineSession>> prepare(const Model& model, const RunOptions& options) const = 0;
};

// "cpu", "ort" or "ort:PATH". Errors (usage): a name that no engine of this build has, a library that is not there.
Result<std::shared_ptr<const Engine>> find_engine(const std::string& name);

std::shared_ptr<const Engine> cpu_engine();
Result<std::shared_ptr<const Engine>> ort_engine(const std::string& path);

}  // namespace aegis
