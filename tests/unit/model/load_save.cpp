#include "model/load.hpp"

#include <fcntl.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/patch.hpp"
#include "model/save.hpp"
#include "model/state.hpp"
#include "tests/unit/model/folder.hpp"

namespace aegis {
namespace {

// A model whose weight is large enough to stay in the file, with fields that Aegis does not know.
std::string sample_bytes(TensorSource::Field field) {
  onnx::ModelProto m;
  m.set_ir_version(10);
  m.set_producer_name("tests");
  auto* import = m.add_opset_import();
  import->set_version(21);
  auto& g = *m.mutable_graph();
  g.set_name("g");
  auto* node = g.add_node();
  node->set_op_type("MatMul");
  node->add_input("x");
  node->add_input("w");
  node->add_output("y");
  for (const char* name : {"x", "y"}) {
    auto* info = std::string(name) == "x" ? g.add_input() : g.add_output();
    info->set_name(name);
    auto* type = info->mutable_type()->mutable_tensor_type();
    type->set_elem_type(1);
    type->mutable_shape()->add_dim()->set_dim_param("N");
    type->mutable_shape()->add_dim()->set_dim_value(32);
  }
  auto* w = g.add_initializer();
  w->set_name("w");
  w->add_dims(32);
  w->add_dims(32);
  w->set_data_type(1);
  std::vector<float> values(1024);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.5f;
  if (field == TensorSource::Field::raw)
    w->set_raw_data(values.data(), values.size() * sizeof(float));
  else
    w->mutable_float_data()->Assign(values.begin(), values.end());
  w->GetReflection()->MutableUnknownFields(w)->AddLengthDelimited(90001, "kept");
  m.GetReflection()->MutableUnknownFields(&m)->AddVarint(90002, 7);
  return m.SerializeAsString();
}

using test::Folder;
std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a big payload stays in the file and reads back") {
  for (const auto field : {TensorSource::Field::raw, TensorSource::Field::float_data}) {
    const auto model = load_bytes(sample_bytes(field), "m");
    REQUIRE(model);
    REQUIRE(model->state().payloads.size() == 1);
    CHECK(model->proto().ByteSizeLong() < 400);
    const auto* w = model->constant(model->find("w"));
    REQUIRE(w != nullptr);
    CHECK(std::holds_alternative<TensorSource::Span>(w->from));
    const auto tensor = w->read();
    REQUIRE(tensor);
    CHECK(tensor->as<float>()[1023] == 511.5f);
  }
}

TEST_CASE("an unchanged model is written as the same bytes, an edited one with its payload and unknown fields") {
  const Folder folder;
  const std::string bytes = sample_bytes(TensorSource::Field::float_data);
  const auto file = folder.path / "m.onnx";
  std::ofstream(file, std::ios::binary) << bytes;
  const auto model = load(file.string());
  REQUIRE(model);
  REQUIRE(save(*model, (folder.path / "same.onnx").string()));
  CHECK(slurp(folder.path / "same.onnx") == bytes);

  Patch rename{.pass = "test", .label = "rename"};
  rename.edits.push_back(edit::SetOutput{.node = NodeId{0}, .slot = 0, .value = "inner"});
  rename.edits.push_back(edit::InsertNode{.op = "Relu", .name = "relu", .inputs = {"inner"}, .outputs = {"y"}});
  const auto after = apply(*model, {&rename, 1});
  REQUIRE(after);
  const auto written = serialise(*after);
  REQUIRE(written);
  CHECK(*serialise(*after) == *written);
  onnx::ModelProto proto;
  REQUIRE(proto.ParseFromString(*written));
  CHECK(proto.graph().node_size() == 2);
  CHECK(proto.graph().initializer(0).float_data_size() == 1024);
  CHECK(proto.graph().initializer(0).float_data(1023) == 511.5f);
  const auto& unknown = proto.graph().initializer(0).GetReflection()->GetUnknownFields(proto.graph().initializer(0));
  REQUIRE(unknown.field_count() == 1);
  CHECK(unknown.field(0).number() == 90001);
  CHECK(proto.GetReflection()->GetUnknownFields(proto).field(0).number() == 90002);
}

TEST_CASE("an existing file is kept unless it may be overwritten, and no temporary file stays") {
  const Folder folder;
  const auto file = folder.path / "m.onnx";
  std::ofstream(file, std::ios::binary) << "precious";
  const auto model = load_bytes(sample_bytes(TensorSource::Field::raw), "m");
  REQUIRE(model);
  const auto refused = save(*model, file.string());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().fault == Fault::file);
  CHECK(slurp(file) == "precious");
  REQUIRE(save(*model, file.string(), {.overwrite = Overwrite::yes}));
  CHECK(slurp(file) == sample_bytes(TensorSource::Field::raw));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a pipe is written to, not replaced") {
  const Folder folder;
  const std::string pipe = (folder.path / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  REQUIRE(save_bytes("a report", pipe, Overwrite::yes));
  char got[16] = {};
  CHECK(::read(reader, got, sizeof got) == 8);
  ::close(reader);
  CHECK(std::string(got) == "a report");
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("files that are no models are told apart") {
  const auto code = [](std::string bytes) {
    const auto model = load_bytes(std::move(bytes), "m");
    return model ? std::string("loads") : model.error().code;
  };
  CHECK(code("") == "IO901");
  CHECK(code("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n") == "IO902");
  CHECK(code("<html></html>") == "IO901");
  CHECK(code("\x1f\x8b\x08") == "IO901");
  CHECK(code("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") == "IO903");
  const std::string whole = sample_bytes(TensorSource::Field::raw);
  for (std::size_t cut = 1; cut < whole.size(); cut += 97) {
    const auto model = load_bytes(whole.substr(0, cut), "m");
    if (!model) CHECK_FALSE(model.error().code.empty());
  }
  CHECK(load("/tmp").error().code == "IO903");
  CHECK(load("/nonexistent/model.onnx").error().fault == Fault::file);
}

TEST_CASE("every data field of a TensorProto decodes") {
  const auto read = [](onnx::TensorProto t) {
    t.set_name("t");
    const auto tensor = tensor_source(t, {}).read();
    REQUIRE(tensor);
    return *to_doubles(*tensor);
  };
  onnx::TensorProto t;
  t.add_dims(2);
  t.set_data_type(static_cast<int>(DType::bf16));
  t.add_int32_data(0x3f80);
  t.add_int32_data(0xbf80);
  CHECK(read(t) == std::vector<double>{1, -1});
  t.set_data_type(static_cast<int>(DType::i8));
  t.clear_int32_data();
  t.add_int32_data(-3);
  t.add_int32_data(4);
  CHECK(read(t) == std::vector<double>{-3, 4});
  t.clear_int32_data();
  t.set_data_type(static_cast<int>(DType::i64));
  t.add_int64_data(-1);
  t.add_int64_data(1ll << 40);
  CHECK(read(t) == std::vector<double>{-1, static_cast<double>(1ll << 40)});
  t.clear_int64_data();
  t.set_data_type(static_cast<int>(DType::f32));
  t.set_raw_data("abc", 3);
  CHECK(tensor_source(t, {}).read().error().code == "ST503");
}

TEST_CASE("a packed integer payload in the file decodes across windows") {
  onnx::ModelProto m;
  auto* t = m.mutable_graph()->add_initializer();
  t->set_name("t");
  t->set_data_type(static_cast<int>(DType::i64));
  t->add_dims(2000);
  for (int i = 0; i < 2000; ++i) t->add_int64_data(i % 3 == 0 ? -i : i * 1000ll);
  const auto model = load_bytes(m.SerializeAsString(), "m");
  REQUIRE(model);
  const auto* source = model->constant(model->find("t"));
  REQUIRE(std::holds_alternative<TensorSource::Span>(source->from));
  Bytes raw;
  REQUIRE(source->stream(
      [&](std::span<const std::byte> piece) -> Result<void> {
        raw.insert(raw.end(), piece.begin(), piece.end());
        return {};
      },
      7));
  REQUIRE(raw.size() == 16000);
  const auto* values = reinterpret_cast<const std::int64_t*>(raw.data());
  CHECK(values[3] == -3);
  CHECK(values[1999] == 1999000);
}

}  // namespace
}  // namespace aegis
