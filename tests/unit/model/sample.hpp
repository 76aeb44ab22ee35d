// Models for tests of the writer: a few nodes, weights that stay in the file, a subgraph, a sparse tensor, a function.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace aegis::test {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline std::filesystem::path spill(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline void fill_floats(onnx::TensorProto& tensor, int count, float from) {
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.clear_dims();
  tensor.add_dims(count);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = from + static_cast<float>(i) * 0.5f;
  tensor.set_raw_data(values.data(), values.size() * sizeof(float));
}

// y = If(c, x + big, x * typed); every place where a tensor hides has one of more than 1 KiB.
inline onnx::ModelProto sample_model() {
  onnx::ModelProto m;
  m.set_ir_version(10);
  m.add_opset_import()->set_version(21);
  auto* local = m.add_opset_import();
  local->set_domain("local");
  local->set_version(1);
  auto& g = *m.mutable_graph();
  g.set_name("g");
  const auto declare = [](onnx::ValueInfoProto& info, const char* name, int type, std::vector<int> dims) {
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (const int d : dims) tensor->mutable_shape()->add_dim()->set_dim_value(d);
  };
  declare(*g.add_input(), "x", 1, {1024});
  declare(*g.add_input(), "c", 9, {});
  declare(*g.add_output(), "y", 1, {1024});

  auto* big = g.add_initializer();
  big->set_name("big");
  fill_floats(*big, 1024, 1);
  auto* typed = g.add_initializer();
  typed->set_name("typed");
  typed->set_data_type(onnx::TensorProto::FLOAT);
  typed->add_dims(1024);
  for (int i = 0; i < 1024; ++i) typed->add_float_data(static_cast<float>(i));
  auto* halves = g.add_initializer();  // 16-bit numbers as varints
  halves->set_name("halves");
  halves->set_data_type(onnx::TensorProto::FLOAT16);
  halves->add_dims(1024);
  for (int i = 0; i < 1024; ++i) halves->add_int32_data(0x3c00 + i);
  auto* small = g.add_initializer();
  small->set_name("small");
  fill_floats(*small, 1, 2);
  auto* sparse = g.add_sparse_initializer();
  fill_floats(*sparse->mutable_values(), 512, 3);
  sparse->mutable_values()->set_name("sparse");
  sparse->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse->mutable_indices()->add_dims(512);
  for (int i = 0; i < 512; ++i) sparse->mutable_indices()->add_int64_data(i);
  sparse->add_dims(1024);

  auto* node = g.add_node();
  node->set_op_type("If");
  node->set_name("if");
  node->add_input("c");
  node->add_output("y0");
  for (const char* branch : {"then_branch", "else_branch"}) {
    auto* a = node->add_attribute();
    a->set_name(branch);
    a->set_type(onnx::AttributeProto::GRAPH);
    auto& body = *a->mutable_g();
    body.set_name(branch);
    const std::string inner = std::string(branch) + "_w", out = std::string(branch) + "_out";
    auto* constant = body.add_node();
    constant->set_op_type("Constant");
    constant->add_output(inner);
    auto* value = constant->add_attribute();
    value->set_name("value");
    value->set_type(onnx::AttributeProto::TENSOR);
    fill_floats(*value->mutable_t(), 1024, 5);
    auto* add = body.add_node();
    add->set_op_type("Add");
    add->add_input(inner);
    add->add_input("big");
    add->add_output(out);
    declare(*body.add_output(), out.c_str(), 1, {1024});
  }
  const auto binary = [&](const char* op, const char* a, const char* b, const char* y) {
    auto* n = g.add_node();
    n->set_op_type(op);
    n->add_input(a);
    n->add_input(b);
    n->add_output(y);
  };
  binary("Mul", "y0", "typed", "y1");
  binary("Add", "y1", "small", "y2");
  auto* call = g.add_node();
  call->set_op_type("Shift");
  call->set_domain("local");
  call->add_input("y2");
  call->add_output("y");

  auto& f = *m.add_functions();
  f.set_name("Shift");
  f.set_domain("local");
  f.add_input("a");
  f.add_output("b");
  f.add_opset_import()->set_version(21);
  auto* k = f.add_node();
  k->set_op_type("Constant");
  k->add_output("k");
  auto* value = k->add_attribute();
  value->set_name("value");
  value->set_type(onnx::AttributeProto::TENSOR);
  fill_floats(*value->mutable_t(), 1024, 7);
  auto* shift = f.add_node();
  shift->set_op_type("Add");
  shift->add_input("a");
  shift->add_input("k");
  shift->add_output("b");
  return m;
}

}  // namespace aegis::test
