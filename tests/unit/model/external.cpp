#include "model/external.hpp"

#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "model/load.hpp"
#include "model/save.hpp"
#include "model/tensor_pb.hpp"
#include "tests/unit/model/folder.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;

using test::Folder;

using Entries = std::vector<std::pair<std::string, std::string>>;

onnx::TensorProto external_tensor(const Entries& entries) {
  onnx::TensorProto w;
  w.set_name("w");
  w.set_data_type(1);
  w.add_dims(4);
  w.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : entries) {
    auto* entry = w.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  return w;
}

onnx::ModelProto empty_model() {
  onnx::ModelProto m;
  m.set_ir_version(10);
  m.add_opset_import()->set_version(21);
  m.mutable_graph()->set_name("g");
  return m;
}

fs::path write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// Four floats, 1 to 4, behind eight bytes of something else.
std::string data() {
  const float values[] = {0, 0, 1, 2, 3, 4};
  return {reinterpret_cast<const char*>(values), sizeof values};
}

fs::path write_model(const fs::path& folder, const Entries& entries) {
  auto m = empty_model();
  *m.mutable_graph()->add_initializer() = external_tensor(entries);
  return write(folder / "m.onnx", m.SerializeAsString());
}
fs::path write_model(const fs::path& folder, const std::string& location) {
  write(folder / "w.bin", data());
  return write_model(folder, Entries{{"location", location}, {"offset", "8"}, {"length", "16"}});
}

// What load says of the data file; reading it fails as well.
std::string code_of(const fs::path& path, ExternalPolicy policy = ExternalPolicy::hf) {
  LoadOptions options;
  options.external_data = policy;
  const auto model = load(path.string(), options);
  REQUIRE(model);
  const auto tensor = model->initializer(model->find("w"))->read();
  if (policy == ExternalPolicy::none) return tensor ? "read" : tensor.error().code;
  CHECK(model->load_findings().empty() == bool(tensor));
  return tensor ? "read" : model->load_findings()[0].code;
}

TEST_CASE("external weights are read where the model says, and taken in for another folder") {
  const Folder folder, other;
  const auto model = load(write_model(folder.path, "w.bin").string());
  REQUIRE(model);
  const auto tensor = model->initializer(model->find("w"))->read();
  REQUIRE(tensor);
  CHECK(tensor->as<float>()[3] == 4.0f);

  REQUIRE(save(*model, (other.path / "m.onnx").string(), {.external_data = ExternalData::never}));
  CHECK_FALSE(fs::exists(other.path / "w.bin"));
  const auto again = load((other.path / "m.onnx").string());
  REQUIRE(again);
  CHECK(again->initializer(again->find("w"))->read()->as<float>()[0] == 1.0f);
}

TEST_CASE("a location that leaves the folder is refused under every policy") {
  const Folder folder;
  fs::create_directory(folder.path / "in");
  for (const auto policy : {ExternalPolicy::hf, ExternalPolicy::beneath, ExternalPolicy::strict}) {
    CHECK(code_of(write_model(folder.path, "w.bin"), policy) == "read");
    CHECK(code_of(write_model(folder.path, "./w.bin"), policy) == "read");
    for (const std::string& location :
         {std::string("./in/../w.bin"), std::string("../w.bin"), (folder.path / "w.bin").string(), std::string(),
          std::string("#w.bin"), std::string("*/_ORT_MEM_ADDR_/*"), std::string("w.bin\0x", 7), std::string("in")})
      CHECK(code_of(write_model(folder.path, location), policy) == "IO905");
    CHECK(code_of(write_model(folder.path, "absent.bin"), policy) == "IO906");
    CHECK(code_of(write_model(folder.path, "w.bin/x"), policy) == "IO906");
  }
  CHECK(code_of(write_model(folder.path, "w.bin"), ExternalPolicy::none) == "IO905");
}

TEST_CASE("what is no regular file is refused and never waited for") {
  const Folder folder;
  REQUIRE(::mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", folder.path / "zero");
  CHECK(code_of(write_model(folder.path, "pipe")) == "IO905");
  CHECK(code_of(write_model(folder.path, "zero")) == "IO905");
}

TEST_CASE("links are followed as far as the policy says") {
  using enum ExternalPolicy;
  const Folder folder, outside;
  write(outside.path / "w.bin", data());
  fs::create_directory(folder.path / "sub");
  write(folder.path / "sub" / "w.bin", data());
  fs::create_symlink("w.bin", folder.path / "inside");
  fs::create_symlink(folder.path / "w.bin", folder.path / "inside_by_full_path");
  fs::create_symlink(outside.path / "w.bin", folder.path / "out");
  fs::create_symlink("sub", folder.path / "folder_inside");
  fs::create_symlink(outside.path, folder.path / "folder_outside");
  fs::create_symlink("loop", folder.path / "loop");
  const auto codes = [&](const std::string& location) {
    const auto model = write_model(folder.path, location);
    return code_of(model, hf) + " " + code_of(model, beneath) + " " + code_of(model, strict);
  };
  CHECK(codes("inside") == "read read IO905");
  CHECK(codes("inside_by_full_path") == "read IO905 IO905");
  CHECK(codes("out") == "IO905 IO905 IO905");
  CHECK(codes("folder_inside/w.bin") == "read read IO905");
  CHECK(codes("folder_outside/w.bin") == "IO905 IO905 IO905");
  CHECK(codes("loop") == "IO905 IO905 IO905");
  fs::create_hard_link(folder.path / "sub" / "w.bin", folder.path / "second_name");
  CHECK(codes("second_name") == "read read IO905");
}

TEST_CASE("a model that is a link into a cache finds its data there") {
  const Folder cache;
  fs::create_directories(cache.path / "blobs");
  fs::create_directories(cache.path / "snapshots" / "abc");
  fs::rename(write_model(cache.path / "blobs", "w.bin"), cache.path / "blobs" / "0a");
  fs::rename(cache.path / "blobs" / "w.bin", cache.path / "blobs" / "0b");
  const auto model = cache.path / "snapshots" / "abc" / "m.onnx";
  fs::create_symlink("../../blobs/0a", model);
  fs::create_symlink("../../blobs/0b", model.parent_path() / "w.bin");
  CHECK(code_of(model, ExternalPolicy::hf) == "read");
  CHECK(code_of(model, ExternalPolicy::beneath) == "IO905");
}

TEST_CASE("offset and length are decimal numbers inside the file") {
  const Folder folder;
  write(folder.path / "w.bin", data());
  const auto code = [&](const char* offset, const char* length) {
    return code_of(write_model(folder.path, Entries{{"location", "w.bin"}, {"offset", offset}, {"length", length}}));
  };
  CHECK(code("8", "16") == "read");
  for (const char* offset : {"-8", "+8", "0x8", "8 ", " 8", "8.0", "", "9", "25", "18446744073709551608",
                             "18446744073709551616", "99999999999999999999999"})
    CHECK(code(offset, "16") == "IO906");
  for (const char* length : {"-1", "17", "1e1", "18446744073709551615", "18446744073709551614"})
    CHECK(code("8", length) == "IO906");
  CHECK(code_of(write_model(folder.path, Entries{{"location", "w.bin"}, {"offset", "8"}})) == "read");
}

TEST_CASE("a data file that changes between load and use is noticed") {
  const Folder folder;
  const auto model = load(write_model(folder.path, "w.bin").string());
  REQUIRE(model);
  write(folder.path / "other", data());
  fs::rename(folder.path / "other", folder.path / "w.bin");
  const auto tensor = model->initializer(model->find("w"))->read();
  REQUIRE_FALSE(tensor);
  CHECK(tensor.error().code == "IO907");
}

TEST_CASE("external data is looked for wherever a tensor hides, and beside no other folder than the model's") {
  const Folder folder;
  const auto stray = external_tensor(Entries{{"location", "../stray"}});
  const auto finds = [&](const onnx::ModelProto& m) {
    const auto model = load(write(folder.path / "m.onnx", m.SerializeAsString()).string());
    INFO(m.ShortDebugString() << (model ? "" : model.error().message));
    REQUIRE(model);
    REQUIRE(model->load_findings().size() == 1);
    CHECK(model->load_findings()[0].code == "IO905");
  };
  auto m = empty_model();
  *m.mutable_graph()->add_node()->add_attribute()->mutable_t() = stray;
  finds(m);
  m = empty_model();
  *m.mutable_graph()->add_sparse_initializer()->mutable_values() = stray;
  finds(m);
  m = empty_model();
  auto* node = m.add_functions()->add_node();
  node->set_op_type("Relu");
  *node->add_attribute()->mutable_sparse_tensor()->mutable_indices() = stray;
  finds(m);
  m = empty_model();
  *m.add_training_info()->mutable_algorithm()->add_initializer() = stray;
  finds(m);
  m = empty_model();
  *m.mutable_graph()->add_node()->add_attribute()->mutable_g()->add_initializer() = stray;
  *m.mutable_graph()->add_initializer() = stray;
  finds(m);  // two tensors, one place

  const auto alone = tensor_from_pb(external_tensor(Entries{{"location", "m.onnx"}}).SerializeAsString());
  REQUIRE_FALSE(alone);  // it belongs to no model: the working directory is no place to look
  CHECK(alone.error().code == "IO905");
}

}  // namespace
}  // namespace aegis
