#include "exec/run.hpp"

#include <fmt/format.h>

#include "exec/cpu_engine.hpp"
#include "exec/float_state.hpp"
#include "ops/op.hpp"

namespace aegis {

struct Session::Impl {
  Impl(const Model& model, const RunOptions& options) : engine(model, options) {}
  mutable CpuEngine engine;
};

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::prepare(const Model& model, const RunOptions& options) {
  auto impl = std::make_unique<Impl>(model, options);
  AEGIS_CHECK(impl->engine.load_constants());
  return Session(std::move(impl));
}

Result<RunResult> Session::run(const Feeds& feeds) const { return impl_->engine.run(feeds); }

Result<RunResult> run(const Model& model, const Feeds& feeds, const RunOptions& options) {
  AEGIS_TRY(const Session session, Session::prepare(model, options));
  return session.run(feeds);
}

std::vector<Unsupported> unsupported(const Model& model) {
  std::vector<Unsupported> result;
  for (const Node& node : model.nodes()) {
    if (!node.alive || is_control(node) || runs_by_body(model, node)) continue;
    const Op* op = find_op(node.domain, node.op);
    if (op && op->lower) continue;
    result.push_back({node.id, fmt::format("{} ({}) at opset {}", node.op,
                                           node.domain.empty() ? "ai.onnx" : node.domain, model.opset(node.domain))});
  }
  return result;
}

Result<std::vector<Tensor>> CpuEvaluator::evaluate(const Model& model, const Node& node,
                                                   std::span<const Tensor* const> inputs) const {
  const StrictFloats strict;
  const Memory memory(RunOptions{}.max_bytes);
  Parallel alone(1);
  const Known known{[](ValueId) { return ValueType{}; },
                    [&](ValueId value) -> const Tensor* {
                      for (std::size_t i = 0; i < node.inputs.size() && i < inputs.size(); ++i)
                        if (node.inputs[i] == value) return inputs[i];
                      return nullptr;
                    },
                    {}};
  if (is_control(node))
    return Error{Fault::validation,
                 "",
                 fmt::format("a {} node has a body and is not evaluated alone", node.op),
                 label(model, node.id),
                 {}};
  AEGIS_TRY(const Lowered lowered, lower_node(model, node, known));
  if (lowered.state != Lowered::State::ready)
    return Error{Fault::validation,
                 "",
                 fmt::format("{}: not all inputs are known", describe(model, node, {})),
                 label(model, node.id),
                 {}};
  return execute(lowered.program, inputs, memory, alone);
}

}  // namespace aegis
