// The CPU engine: run(Model, feeds) by the strict numerics of docs/numerics.md. The reference for all others.
// Same bits for every thread count and instruction set.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/evaluator.hpp"

namespace aegis {

using Feeds = std::map<std::string, Tensor>;  // graph inputs by name; overridable initializers may be given too

class Observer {
 public:
  virtual ~Observer() = default;
  // Sees each value of the main graph and of taken bodies once, right after its node ran.
  virtual void value(NodeId node, ValueId value, const Tensor& tensor) = 0;
};

struct RunOptions {
  int threads = 1;
  std::uint64_t max_bytes = 8ull << 30;  // live tensors; more is an error that names the node
  Observer* observer = nullptr;
  // Looked at before each node; past it the run ends with an error whose code is past_deadline.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};
inline constexpr const char* past_deadline = "deadline";

struct RunResult {
  std::vector<std::string> names;  // graph outputs in order
  std::vector<Tensor> outputs;
};

// A model made ready: constants folded and kept, one kernel plan per shape signature.
class Session {
 public:
  static Result<Session> prepare(const Model& model, const RunOptions& options);
  Result<RunResult> run(const Feeds& feeds) const;

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

Result<RunResult> run(const Model& model, const Feeds& feeds, const RunOptions& options);

// Nodes that the engine has no lowering for: "op (domain) at opset n".
struct Unsupported {
  NodeId node = NodeId::none;
  std::string reason;
};
std::vector<Unsupported> unsupported(const Model& model);

class CpuEvaluator final : public Evaluator {
 public:
  Result<std::vector<Tensor>> evaluate(const Model& model, const Node& node,
                                       std::span<const Tensor* const> inputs) const override;
};

}  // namespace aegis
