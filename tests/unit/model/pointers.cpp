// Git LFS and DVC pointers, and files of other formats that carry the name of a model.
#include <onnx/onnx_pb.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "model/foreign_format.hpp"
#include "model/load.hpp"
#include "tests/unit/model/folder.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;
using test::Folder;

const std::string oid(64, 'a');
const std::string md5(32, 'b');

fs::path write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string model_bytes() {
  onnx::ModelProto m;
  m.set_ir_version(10);
  m.mutable_graph()->add_node()->set_op_type("Relu");
  return m.SerializeAsString();
}

std::string lfs_pointer(std::size_t size) {
  return "version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize " + std::to_string(size) + "\n";
}
std::string dvc_pointer() {
  return "outs:\n- md5: " + md5 + "\n  size: " + std::to_string(model_bytes().size()) + "\n  path: m.onnx\n";
}
fs::path lfs_object(const fs::path& git) { return git / "lfs/objects/aa/aa" / oid; }

std::string outcome(const fs::path& path, bool resolve = true) {
  LoadOptions options;
  options.resolve_pointers = resolve;
  const auto model = load(path.string(), options);
  if (!model) return model.error().code;
  CHECK(model->path() == path.string());
  return std::to_string(model->nodes().size()) + " node";
}

TEST_CASE("a Git LFS pointer is read from the local store, or told with the command that fetches it") {
  const Folder repository;
  const auto model = write(repository.path / "models/m.onnx", lfs_pointer(model_bytes().size()));
  CHECK(outcome(model) == "IO902");
  fs::create_directory(repository.path / ".git");
  CHECK(outcome(model) == "IO902");
  CHECK(load(model.string()).error().message.find("git lfs pull") != std::string::npos);
  const auto object = write(lfs_object(repository.path / ".git"), model_bytes());
  CHECK(outcome(model) == "1 node");
  CHECK(outcome(model, false) == "IO902");
  write(model, lfs_pointer(model_bytes().size() + 1));  // the object is another one, or cut off
  CHECK(outcome(model) == "IO902");
  write(model, lfs_pointer(model_bytes().size()));
  fs::rename(object, repository.path / "elsewhere");
  fs::create_symlink(repository.path / "elsewhere", object);  // a store holds files
  CHECK(outcome(model) == "IO902");
}

TEST_CASE("a worktree finds the store of its repository") {
  const Folder repository, worktree;
  write(lfs_object(repository.path / ".git"), model_bytes());
  write(repository.path / ".git/worktrees/w/commondir", "../..\n");
  write(worktree.path / ".git", "gitdir: " + (repository.path / ".git/worktrees/w").string() + "\n");
  CHECK(outcome(write(worktree.path / "m.onnx", lfs_pointer(model_bytes().size()))) == "1 node");
}

TEST_CASE("a DVC pointer is read from the local cache, by its own name or by the model's") {
  const Folder repository;
  const auto pointer = write(repository.path / "m.onnx.dvc", dvc_pointer());
  const auto model = repository.path / "m.onnx";
  CHECK(outcome(pointer) == "IO902");
  CHECK(outcome(model) == "IO902");
  CHECK(load(model.string()).error().message.find("dvc pull") != std::string::npos);
  for (const char* cache : {".dvc/cache/files/md5", ".dvc/cache"}) {
    write(repository.path / cache / md5.substr(0, 2) / md5.substr(2), model_bytes());
    CHECK(outcome(pointer) == "1 node");
    CHECK(outcome(model) == "1 node");
    fs::remove_all(repository.path / cache);
  }
}

TEST_CASE("a data file that is a pointer is told as one, and read where the store has it") {
  const Folder repository;
  onnx::ModelProto m;
  auto* w = m.mutable_graph()->add_initializer();
  w->set_name("w");
  w->set_data_type(1);
  w->add_dims(1);
  w->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* location = w->add_external_data();
  location->set_key("location");
  location->set_value("w.bin");
  const auto path = write(repository.path / "m.onnx", m.SerializeAsString());
  write(repository.path / "w.bin", lfs_pointer(4));
  const auto without = load(path.string());
  REQUIRE(without);
  REQUIRE(without->load_findings().size() == 1);
  CHECK(without->load_findings()[0].code == "IO902");
  write(lfs_object(repository.path / ".git"), std::string("\0\0\x80\x3f", 4));
  const auto with = load(path.string());
  REQUIRE(with);
  CHECK(with->load_findings().empty());
  CHECK(with->initializer(with->find("w"))->read()->as<float>()[0] == 1.0f);
}

TEST_CASE("files of other formats are called by their name") {
  struct Case {
    std::string bytes;
    const char* says;
  };
  const Case cases[] = {
      {"", "is empty"},
      {"\x1f\x8b\x08\x01", "gzip"},
      {"PK\x03\x04 and so on", "zip archive"},
      {"<!DOCTYPE html><html>", "HTML"},
      {"\n <html></html>", "HTML"},
      {"{\"irVersion\": \"8\"}", "JSON"},
      {std::string("\x18\0\0\0ORTM", 8), "ONNX Runtime's own format"},
      {std::string("\x1c\0\0\0TFL3", 8), "TensorFlow Lite"},
      {std::string("GGUF\3\0\0\0", 8), "GGUF"},
      {std::string("\x40\0\0\0\0\0\0\0{\"w\":{}}", 16), "safetensors"},
      {"ir_version: 8\ngraph {\n}", "protobuf text"},
      {"\x89HDF\r\n\x1a\n", "HDF5"},
      {"\x7f"
       "ELF\2\1",
       "program"},
      {"\x80\x04\x95", "pickle"},
      {std::string(257, '\0') + "ustar", "tar"},
  };
  for (const Case& c : cases) {
    INFO(c.says);
    const auto model = load_bytes(c.bytes, "m");
    REQUIRE_FALSE(model);
    CHECK(model.error().code == "IO901");
    CHECK(model.error().message.find(c.says) != std::string::npos);
    CHECK(model.error().message.find("; ") != std::string::npos);  // what to do
  }
}

TEST_CASE("a model is a model whatever it begins with") {
  onnx::ModelProto m;  // field 15 of fixed size, then letters: "{" is its tag
  m.set_producer_name("\x1f\x8b PK GGUF");
  m.mutable_graph();
  CHECK(load_bytes(m.SerializeAsString(), "m"));
  CHECK(foreign_format(m.SerializeAsString()).empty());
}

TEST_CASE("versions that are newer than the schemas are told, and the rest is used") {
  onnx::ModelProto m;
  m.set_ir_version(99);
  m.mutable_graph()->add_node()->set_op_type("Relu");
  auto* import = m.add_opset_import();
  import->set_version(99);
  import = m.add_opset_import();
  import->set_domain("com.example");
  import->set_version(99);
  const auto model = load_bytes(m.SerializeAsString(), "m");
  REQUIRE(model);
  REQUIRE(model->load_findings().size() == 2);
  for (const Error& finding : model->load_findings()) CHECK(finding.code == "IO909");
}

}  // namespace
}  // namespace aegis
