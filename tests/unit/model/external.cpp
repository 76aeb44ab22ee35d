#include "model/external.hpp"

#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "model/load.hpp"
#include "model/save.hpp"
#include "tests/unit/model/folder.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;

using test::Folder;

// Four floats, 1 to 4, behind eight bytes of something else.
fs::path write_model(const fs::path& folder, const std::string& location) {
  onnx::ModelProto m;
  m.set_ir_version(10);
  m.add_opset_import()->set_version(21);
  auto* w = m.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(1);
  w->add_dims(4);
  w->set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] :
       {std::pair<std::string, std::string>{"location", location}, {"offset", "8"}, {"length", "16"}}) {
    auto* entry = w->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  const fs::path path = folder / "m.onnx";
  std::ofstream(path, std::ios::binary) << m.SerializeAsString();
  const float values[] = {0, 0, 1, 2, 3, 4};
  std::ofstream(folder / "w.bin", std::ios::binary).write(reinterpret_cast<const char*>(values), sizeof values);
  return path;
}

std::string code_of(const fs::path& path) {
  const auto model = load(path.string());
  REQUIRE(model);
  const auto tensor = model->initializer(model->find("w"))->read();
  return tensor ? "read" : tensor.error().code;
}

TEST_CASE("external weights are read where the model says, and taken in for another folder") {
  const Folder folder, other;
  const auto model = load(write_model(folder.path, "w.bin").string());
  REQUIRE(model);
  const auto tensor = model->initializer(model->find("w"))->read();
  REQUIRE(tensor);
  CHECK(tensor->as<float>()[3] == 4.0f);

  const auto whole = embed_external(*model);
  REQUIRE(whole);
  REQUIRE(save(*whole, (other.path / "m.onnx").string(), Overwrite::no));
  const auto again = load((other.path / "m.onnx").string());
  REQUIRE(again);
  CHECK(again->initializer(again->find("w"))->read()->as<float>()[0] == 1.0f);
}

TEST_CASE("a location that leaves the folder is refused, a missing or short file is named") {
  const Folder folder;
  fs::create_directory(folder.path / "in");
  CHECK(code_of(write_model(folder.path, "w.bin")) == "read");
  CHECK(code_of(write_model(folder.path, "./in/../w.bin")) == "IO905");
  CHECK(code_of(write_model(folder.path, "../w.bin")) == "IO905");
  CHECK(code_of(write_model(folder.path, (folder.path / "w.bin").string())) == "IO905");
  CHECK(code_of(write_model(folder.path, "")) == "IO905");
  CHECK(code_of(write_model(folder.path, "absent.bin")) == "IO906");
  CHECK(code_of(write_model(folder.path, "in")) == "IO903");
  fs::create_symlink(folder.path / "w.bin", folder.path / "link.bin");
  CHECK(code_of(write_model(folder.path, "link.bin")) == "IO905");
  const auto model = write_model(folder.path, "w.bin");
  fs::resize_file(folder.path / "w.bin", 20);
  CHECK(code_of(model) == "IO903");
}

}  // namespace
}  // namespace aegis
