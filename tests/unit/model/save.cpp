#include "model/save.hpp"

#include <fcntl.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>
#include <map>

#include "model/data_file.hpp"
#include "model/for_each_tensor.hpp"
#include "model/load.hpp"
#include "model/patch.hpp"
#include "model/state.hpp"
#include "tests/unit/model/folder.hpp"
#include "tests/unit/model/sample.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::Folder;
using test::sample_model;
using test::slurp;
using test::spill;

Model loaded(const fs::path& path) {
  auto model = load(path.string());
  INFO((model ? "" : model.error().message));
  REQUIRE(model);
  return *model;
}

// One more node at the end: an edit that changes no weight.
Model edited(const Model& model) {
  const NodeId last = model.main().nodes.back();
  Patch patch{.pass = "test", .label = "one more node"};
  patch.edits.push_back(edit::SetOutput{.node = last, .slot = 0, .value = "before_last"});
  patch.edits.push_back(edit::InsertNode{.op = "Relu", .name = "last", .inputs = {"before_last"}, .outputs = {"y"}});
  auto after = apply(model, {&patch, 1});
  REQUIRE(after);
  return *after;
}

// The raw bytes of every tensor of a file, wherever they lie.
std::map<std::string, Bytes> weights(const fs::path& path) {
  const Model model = loaded(path);
  std::map<std::string, Bytes> found;
  for_each_tensor(model.proto(), [&](const onnx::TensorProto& tensor, std::string_view owner) {
    const TensorSource source = tensor_source(tensor, model.state().payloads, model.state().beside);
    if (source.type == DType::string) return;
    const auto read = source.read();
    INFO(owner << (read ? "" : read.error().message));
    REQUIRE(read);
    found[std::string(owner)] = *read->data;
  });
  return found;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::recursive_directory_iterator(folder), {}));
}

// A model of which `sample_model` lies beside its weights.
fs::path write_external(const fs::path& folder) {
  const auto inside = spill(folder / "inside.onnx", sample_model().SerializeAsString());
  REQUIRE(save(loaded(inside), (folder / "m.onnx").string(), {.external_data = ExternalData::always}));
  fs::remove(inside);
  return folder / "m.onnx";
}

}  // namespace

TEST_CASE("an edited model holds every weight that the one before held") {
  const Folder folder;
  const auto before = spill(folder.path / "m.onnx", sample_model().SerializeAsString());
  const Model model = edited(loaded(before));
  for (const auto where : {ExternalData::automatic, ExternalData::never, ExternalData::always}) {
    const auto path = folder.path / "out.onnx";
    const auto saved = save(model, path.string(), {.overwrite = Overwrite::yes, .external_data = where});
    INFO((saved ? "" : saved.error().message));
    REQUIRE(saved);
    CHECK(saved->bytes == fs::file_size(path));
    CHECK(saved->copied == false);
    CHECK(saved->data_files.size() == (where == ExternalData::always ? 1 : 0));
    CHECK((weights(path) == weights(before)));
    CHECK(loaded(path).proto().graph().node_size() == 5);
  }
}

TEST_CASE("the same model is written as the same bytes, in one file and in two") {
  const Folder folder, other;
  const Model model = edited(loaded(spill(folder.path / "m.onnx", sample_model().SerializeAsString())));
  for (const auto where : {ExternalData::never, ExternalData::always}) {
    const auto a =
        save(model, (folder.path / "out.onnx").string(), {.overwrite = Overwrite::yes, .external_data = where});
    const auto b =
        save(model, (other.path / "out.onnx").string(), {.overwrite = Overwrite::yes, .external_data = where});
    REQUIRE(a);
    REQUIRE(b);
    CHECK((slurp(folder.path / "out.onnx") == slurp(other.path / "out.onnx")));
    CHECK(a->data_files == b->data_files);
    for (const auto& name : a->data_files) CHECK((slurp(folder.path / name) == slurp(other.path / name)));
  }
}

TEST_CASE("a data file holds what runtimes read from one, aligned, tied weights once") {
  const Folder folder;
  auto proto = sample_model();
  auto* large = proto.mutable_graph()->add_initializer();
  large->set_name("large");
  test::fill_floats(*large, 1 << 18, 0);
  auto* text = proto.mutable_graph()->add_initializer();
  text->set_name("text");
  text->set_data_type(onnx::TensorProto::STRING);
  text->add_dims(1);
  text->add_string_data(std::string(5000, 's'));
  auto* shape = proto.mutable_graph()->add_initializer();  // shape inference reads it
  shape->set_name("shape");
  shape->set_data_type(onnx::TensorProto::INT64);
  shape->add_dims(1000);
  for (int i = 0; i < 1000; ++i) shape->add_int64_data(i);
  const auto inside = spill(folder.path / "in.onnx", proto.SerializeAsString());
  const auto saved = save(loaded(inside), (folder.path / "m.onnx").string(), {.external_data = ExternalData::always});
  REQUIRE(saved);
  REQUIRE(saved->data_files.size() == 1);
  CHECK(is_data_file_name(saved->data_files[0], "m"));
  CHECK(fs::file_size(folder.path / saved->data_files[0]) == saved->data_bytes);

  std::map<std::string, std::uint64_t> offsets;
  for_each_tensor(loaded(folder.path / "m.onnx").proto(), [&](const onnx::TensorProto& tensor, std::string_view owner) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    for (const auto& entry : tensor.external_data())
      if (entry.key() == "offset") offsets[std::string(owner)] = std::stoull(entry.value());
  });
  std::vector<std::string> names;
  for (const auto& [name, offset] : offsets) {
    names.push_back(name);
    CHECK(offset % (name == "large" ? 4096 : 64) == 0);
  }
  CHECK(names == std::vector<std::string>{"big", "else_branch_w", "halves", "large", "then_branch_w", "typed"});

  // An external model with tied weights, taken in and out again.
  onnx::ModelProto tied;
  REQUIRE(tied.ParseFromString(slurp(folder.path / "m.onnx")));
  auto* twin = tied.mutable_graph()->add_initializer();
  for (const auto& tensor : tied.graph().initializer())
    if (tensor.name() == "big") *twin = tensor;
  twin->set_name("twin");
  spill(folder.path / "tied.onnx", tied.SerializeAsString());
  const Folder other;
  const auto again = save(edited(loaded(folder.path / "tied.onnx")), (other.path / "m.onnx").string(),
                          {.external_data = ExternalData::always});
  INFO((again ? "" : again.error().message));
  REQUIRE(again);
  CHECK(again->data_bytes == saved->data_bytes);
  CHECK(weights(other.path / "m.onnx").at("twin") == weights(other.path / "m.onnx").at("big"));
}

TEST_CASE("a payload that does not fit its type stays where it is") {
  const Folder folder;
  auto proto = sample_model();
  proto.mutable_graph()->mutable_initializer(0)->set_dims(0, 1000);  // of 1024 floats
  const auto inside = spill(folder.path / "in.onnx", proto.SerializeAsString());
  REQUIRE(save(loaded(inside), (folder.path / "m.onnx").string(), {.external_data = ExternalData::always}));
  const auto again = loaded(folder.path / "m.onnx");
  CHECK(again.proto().graph().initializer(0).data_location() == onnx::TensorProto::DEFAULT);
  CHECK(again.initializer(again.find("big"))->stored_size() == 4096);
}

TEST_CASE("an unchanged model is copied with its data files, whatever they are called") {
  const Folder folder;
  const auto path = write_external(folder.path);
  auto proto = loaded(path).proto();
  const std::string data = proto.graph().initializer(0).external_data(0).value();
  fs::create_directories(folder.path / "a" / "b");
  fs::rename(folder.path / data, folder.path / "a" / "b" / "w.bin");
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer())
    if (tensor.external_data_size() > 0) tensor.mutable_external_data(0)->set_value("a/b/w.bin");
  onnx::ModelProto whole;
  REQUIRE(whole.ParseFromString(slurp(path)));
  *whole.mutable_graph()->mutable_initializer() = proto.graph().initializer();
  for (auto& a : *whole.mutable_graph()->mutable_node(0)->mutable_attribute())
    a.mutable_g()->mutable_node(0)->mutable_attribute(0)->mutable_t()->mutable_external_data(0)->set_value("a/b/w.bin");
  spill(path, whole.SerializeAsString());
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);

  const Folder other;
  const auto target = other.path / "copy.onnx";
  const auto saved = save(loaded(path), target.string());
  INFO((saved ? "" : saved.error().message));
  REQUIRE(saved);
  CHECK(saved->copied);
  CHECK(saved->data_files == std::vector<std::string>{"a/b/w.bin"});
  CHECK(slurp(target) == slurp(path));
  CHECK(slurp(other.path / "a" / "b" / "w.bin") == slurp(folder.path / "a" / "b" / "w.bin"));
  CHECK(fs::status(target).permissions() == fs::status(path).permissions());
  CHECK(files_in(other.path) == 4);
  REQUIRE(save(loaded(path), target.string(), {.overwrite = Overwrite::yes}));  // the same data may stand there
  REQUIRE(save(loaded(path), (folder.path / "twin.onnx").string()));            // or stay where it is
  CHECK(files_in(folder.path) == 5);

  spill(other.path / "a" / "b" / "w.bin", "something else");
  const auto refused = save(loaded(path), (other.path / "third.onnx").string());
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, ContainsSubstring("other weights"));
  CHECK_FALSE(fs::exists(other.path / "third.onnx"));

  const Folder trap, elsewhere;
  fs::create_directory_symlink(elsewhere.path, trap.path / "a");
  CHECK_FALSE(save(loaded(path), (trap.path / "m.onnx").string()));
  CHECK(files_in(elsewhere.path) == 0);
}

TEST_CASE("a model whose data is not there is copied all the same, and says so") {
  const Folder folder, other;
  const auto path = write_external(folder.path);
  for (const auto& entry : fs::directory_iterator(folder.path))
    if (entry.path() != path) fs::remove(entry.path());
  const auto saved = save(loaded(path), (other.path / "m.onnx").string());
  REQUIRE(saved);
  CHECK(slurp(other.path / "m.onnx") == slurp(path));
  REQUIRE(saved->not_copied.size() == 1);
  CHECK(saved->not_copied[0].code == "IO906");
  CHECK_FALSE(save(edited(loaded(path)), (other.path / "edited.onnx").string()));  // its bytes are needed
  CHECK(save(edited(loaded(path)), (folder.path / "edited.onnx").string()));       // they are not
}

TEST_CASE("data files stay where they are for a result beside the model, and come along elsewhere") {
  const Folder folder, other;
  const auto path = write_external(folder.path);
  const Model model = edited(loaded(path));
  const auto beside = save(model, (folder.path / "out.onnx").string());
  REQUIRE(beside);
  CHECK(beside->data_files.empty());
  CHECK(weights(folder.path / "out.onnx") == weights(path));
  const auto away = save(model, (other.path / "out.onnx").string());
  REQUIRE(away);
  CHECK(files_in(other.path) == 1);
  CHECK(weights(other.path / "out.onnx") == weights(path));
  fs::create_directory_symlink(folder.path, other.path / "link");  // the same folder by another path
  REQUIRE(save(model, (other.path / "link" / "third.onnx").string()));
  CHECK(fs::file_size(folder.path / "third.onnx") == fs::file_size(folder.path / "out.onnx"));
}

TEST_CASE("nothing is written over an input, over a link or over a file that was not named for it") {
  const Folder folder;
  const auto path = write_external(folder.path);
  const Model model = edited(loaded(path));
  std::string data;
  for (const auto& entry : fs::directory_iterator(folder.path))
    if (entry.path() != path) data = entry.path().string();
  const auto before = slurp(path), weights_before = slurp(data);
  const auto refused = [&](const std::string& target, Overwrite overwrite) {
    const auto saved = save(model, target, {.overwrite = overwrite});
    CHECK(slurp(path) == before);
    CHECK(slurp(data) == weights_before);
    return !saved && saved.error().fault == Fault::file;
  };
  CHECK(refused(path.string(), Overwrite::no));
  CHECK(refused(path.string(), Overwrite::yes));
  CHECK(refused(data, Overwrite::yes));
  CHECK(refused(data, Overwrite::in_place));
  fs::create_symlink(path, folder.path / "link.onnx");
  CHECK(refused((folder.path / "link.onnx").string(), Overwrite::yes));
  CHECK(refused((folder.path / "link.onnx").string(), Overwrite::in_place));
  fs::create_hard_link(path, folder.path / "twin.onnx");
  CHECK(refused((folder.path / "twin.onnx").string(), Overwrite::yes));
  CHECK(refused(path.string(), Overwrite::in_place));
  fs::remove(folder.path / "twin.onnx");
  const auto saved = save(edited(loaded(path)), path.string(), {.overwrite = Overwrite::in_place});
  INFO((saved ? "" : saved.error().message));
  REQUIRE(saved);
  CHECK(slurp(path) != before);
  CHECK(loaded(path).proto().graph().node_size() == 5);
}

TEST_CASE("a source that changes after it was loaded stops the write") {
  const Folder folder;
  const auto path = spill(folder.path / "m.onnx", sample_model().SerializeAsString());
  const Model model = loaded(path), changed = edited(model);
  std::string bytes = slurp(path);
  bytes[bytes.size() / 2] ^= 1;
  spill(path, bytes);
  for (const Model& m : {model, changed}) {
    const auto saved = save(m, (folder.path / "out.onnx").string());
    REQUIRE_FALSE(saved);
    CHECK(saved.error().code == "IO907");
  }
  CHECK(files_in(folder.path) == 1);
}

TEST_CASE("a result that is much larger than the model is asked about") {
  const Folder folder;
  auto proto = sample_model();
  const auto path = spill(folder.path / "m.onnx", proto.SerializeAsString());
  Patch patch{.pass = "test", .label = "a large tensor"};
  patch.edits.push_back(
      edit::AddTensor{.name = "large", .source = TensorSource::owned(Tensor::zeros(DType::f32, {1 << 19}))});
  const auto grown = apply(loaded(path), {&patch, 1});
  REQUIRE(grown);
  for (const auto where : {ExternalData::never, ExternalData::always}) {
    const auto refused = save(*grown, (folder.path / "out.onnx").string(), {.external_data = where});
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, ContainsSubstring("--allow-growth"));
    CHECK(files_in(folder.path) == 1);
  }
  CHECK(save(*grown, (folder.path / "out.onnx").string(), {.allow_growth = true}));
}

TEST_CASE("data files and temporary files of earlier runs are named, not removed") {
  const Folder folder;
  const auto path = spill(folder.path / "in.onnx", sample_model().SerializeAsString());
  spill(folder.path / "out.0123456789abcdef.data", "old weights");
  spill(folder.path / "out.0123456789abcdeX.data", "not ours");
  spill(folder.path / ".aegis-1-0.tmp", "left by a kill");
  const auto saved = save(loaded(path), (folder.path / "out.onnx").string(), {.external_data = ExternalData::always});
  REQUIRE(saved);
  CHECK(saved->unused == std::vector<std::string>{".aegis-1-0.tmp", "out.0123456789abcdef.data"});
  CHECK(slurp(folder.path / "out.0123456789abcdef.data") == "old weights");
}

TEST_CASE("a file that is replaced hands its mode on, a new one gets that of the model") {
  const Folder folder;
  const auto path = spill(folder.path / "in.onnx", sample_model().SerializeAsString());
  const auto target = spill(folder.path / "out.onnx", "old");
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(::chmod(target.c_str(), 0604) == 0);
  const Model model = edited(loaded(path));
  REQUIRE(save(model, target.string(), {.overwrite = Overwrite::yes}));
  REQUIRE(save(model, (folder.path / "new.onnx").string()));
  const auto mode = [](const fs::path& p) { return static_cast<int>(fs::status(p).permissions()); };
  CHECK(mode(target) == 0604);
  CHECK(mode(folder.path / "new.onnx") == 0640);
}

}  // namespace aegis
