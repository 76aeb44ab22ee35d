// One node as another opset writes it.
#pragma once

#include <memory>
#include <vector>

#include "model/patch.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

class NodeConverter {
 public:
  // From the opset of the model to `opset`. Opening ONNX's converter takes 5 ms: one serves all nodes.
  NodeConverter(const Model& model, const TypeTable& types, std::int64_t opset);
  ~NodeConverter();
  NodeConverter(const NodeConverter&) = delete;
  NodeConverter& operator=(const NodeConverter&) = delete;

  // Appends the edits that make `node` mean at the new opset what it means now; none when it is written the same way.
  // Errors: ONNX's converter refuses it, or it needs something that is not known here.
  Result<void> convert(const Node& node, FreshNames& names, std::vector<Edit>& edits);

 private:
  struct Library;
  const Model& model_;
  const TypeTable& types_;
  std::int64_t opset_;
  std::unique_ptr<Library> library_;
};

}  // namespace aegis::recast
