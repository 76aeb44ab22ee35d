// The skeleton as ONNX's checker and inference accept it: every tensor whose payload was cut out becomes an input of
// the main graph. One that a subgraph holds gets a name of its own there, since branches may use a name twice.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/save.hpp"
#include "model/state.hpp"

namespace aegis {
namespace {

class Hoister {
 public:
  explicit Hoister(onnx::GraphProto& main) : main_(main) {}

  void hoist(onnx::GraphProto& graph) {
    for (auto& node : *graph.mutable_node()) {
      for (auto& a : *node.mutable_attribute()) {
        if (a.has_g()) hoist(*a.mutable_g());
      }
    }
    for (const onnx::TensorProto& tensor : take_cut(graph)) {
      std::string name = tensor.name();
      if (&graph != &main_) {
        name = fmt::format("{}#{}", tensor.name(), ++count_);
        rename(graph, tensor.name(), name);
      }
      declare(tensor, name);
    }
  }

 private:
  // Takes the cut initializers and the Constant nodes that hold a cut tensor out of a graph.
  static std::vector<onnx::TensorProto> take_cut(onnx::GraphProto& graph) {
    std::vector<onnx::TensorProto> taken;
    auto& tensors = *graph.mutable_initializer();
    for (int i = tensors.size() - 1; i >= 0; --i) {
      if (!payload_marker(tensors[i])) continue;
      taken.push_back(tensors[i]);
      tensors.DeleteSubrange(i, 1);
    }
    auto& nodes = *graph.mutable_node();
    for (int i = nodes.size() - 1; i >= 0; --i) {
      if (nodes[i].op_type() != "Constant" || nodes[i].output_size() != 1) continue;
      for (const auto& a : nodes[i].attribute()) {
        if (!a.has_t() || !payload_marker(a.t())) continue;
        taken.push_back(a.t());
        taken.back().set_name(nodes[i].output(0));
        nodes.DeleteSubrange(i, 1);
        break;
      }
    }
    return taken;
  }

  static void rename(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
    for (auto& node : *graph.mutable_node()) {
      for (auto& input : *node.mutable_input()) {
        if (input == from) input = to;
      }
      for (auto& a : *node.mutable_attribute()) {
        if (a.has_g()) rename(*a.mutable_g(), from, to);
      }
    }
    for (auto& output : *graph.mutable_output()) {
      if (output.name() == from) output.set_name(to);
    }
  }

  void declare(const onnx::TensorProto& tensor, const std::string& name) {
    for (const auto& input : main_.input()) {
      if (input.name() == name) return;
    }
    auto* input = main_.add_input();
    input->set_name(name);
    auto* type = input->mutable_type()->mutable_tensor_type();
    type->set_elem_type(tensor.data_type());
    type->mutable_shape();
    for (const std::int64_t d : tensor.dims()) type->mutable_shape()->add_dim()->set_dim_value(d);
  }

  onnx::GraphProto& main_;
  int count_ = 0;
};

}  // namespace

void checkable_proto(const Model& model, onnx::ModelProto& out) {
  out.CopyFrom(model.proto());
  Hoister(*out.mutable_graph()).hoist(*out.mutable_graph());
}

}  // namespace aegis
