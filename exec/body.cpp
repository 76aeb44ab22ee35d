// Operators without a lowering that ONNX defines by a body: the body runs as a model of its own, on the threads and
// the memory of the run. One engine is kept for each node and set of input types.

#include "ops/body.hpp"

#include <fmt/format.h>

#include "exec/cpu_engine.hpp"
#include "ops/op.hpp"

namespace aegis {

bool runs_by_body(const Model& model, const Node& node) {
  if (is_control(node)) return false;
  const Op* op = find_op(node.domain, node.op);
  return (!op || !op->lower) && has_body(node, model.opset(node.domain));
}

Result<std::vector<Tensor>> run_body(CpuEngine& engine, const Node& node, Frame& frame, std::string key) {
  std::vector<ValueType> types;
  std::vector<const Tensor*> given;
  for (const ValueId input : node.inputs) {
    const Tensor* tensor = input == ValueId::none ? nullptr : engine.find(input, frame);
    if (input != ValueId::none && !tensor)
      return Error{.fault = Fault::validation,
                   .message = fmt::format("input '{}' has no value", engine.model().value(input).name),
                   .where = label(engine.model(), node.id)};
    types.push_back(tensor ? type_of(*tensor) : ValueType{});
    given.push_back(tensor);
    append_type(key, tensor);
  }
  AEGIS_TRY(CpuEngine * body, engine.body_engine(node, key, types));
  Feeds feeds;
  const auto& inputs = body->model().main().inputs;
  std::size_t next = 0;
  for (const Tensor* tensor : given)
    if (tensor && next < inputs.size()) feeds[std::string(body->model().value(inputs[next++]).name)] = *tensor;
  auto result = body->run(feeds);
  if (!result) return at_node(std::move(result).error(), engine.model(), node, types);
  std::vector<Tensor> outputs(node.outputs.size());
  next = 0;
  for (std::size_t i = 0; i < outputs.size() && next < result->outputs.size(); ++i)
    if (node.outputs[i] != ValueId::none) outputs[i] = std::move(result->outputs[next++]);
  return outputs;
}

}  // namespace aegis
