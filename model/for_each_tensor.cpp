#include "model/for_each_tensor.hpp"

#include <onnx/onnx_pb.h>

namespace aegis {
namespace {

class Walk {
 public:
  explicit Walk(const TensorVisitor& visit) : visit_(visit) {}

  void graph(const onnx::GraphProto& g) {
    for (const auto& t : g.initializer()) tensor(t, g.name());
    for (const auto& s : g.sparse_initializer()) sparse(s, g.name());
    for (const auto& n : g.node()) node(n);
  }
  void node(const onnx::NodeProto& n) {
    const std::string& owner = n.name().empty() && n.output_size() > 0 ? n.output(0) : n.name();
    for (const auto& a : n.attribute()) attribute(a, owner);
  }
  void attribute(const onnx::AttributeProto& a, std::string_view owner) {
    if (a.has_t()) tensor(a.t(), owner);
    if (a.has_sparse_tensor()) sparse(a.sparse_tensor(), owner);
    if (a.has_g()) graph(a.g());
    for (const auto& t : a.tensors()) tensor(t, owner);
    for (const auto& s : a.sparse_tensors()) sparse(s, owner);
    for (const auto& g : a.graphs()) graph(g);
  }

 private:
  void tensor(const onnx::TensorProto& t, std::string_view owner) { visit_(t, t.name().empty() ? owner : t.name()); }
  void sparse(const onnx::SparseTensorProto& s, std::string_view owner) {
    if (s.has_values()) tensor(s.values(), owner);
    if (s.has_indices()) tensor(s.indices(), owner);
  }

  const TensorVisitor& visit_;
};

}  // namespace

void for_each_tensor(const onnx::ModelProto& model, const TensorVisitor& visit) {
  Walk walk(visit);
  walk.graph(model.graph());
  for (const auto& f : model.functions()) {
    for (const auto& n : f.node()) walk.node(n);
    for (const auto& a : f.attribute_proto()) walk.attribute(a, f.name());
  }
  for (const auto& t : model.training_info()) {
    walk.graph(t.initialization());
    walk.graph(t.algorithm());
  }
}

void edit_each_tensor(onnx::ModelProto& model, const TensorEditor& edit) {
  // The walk sees messages of a model that is not const itself.
  for_each_tensor(
      model, [&](const onnx::TensorProto& tensor, std::string_view) { edit(const_cast<onnx::TensorProto&>(tensor)); });
}

}  // namespace aegis
