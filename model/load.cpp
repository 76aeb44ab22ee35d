#include "model/load.hpp"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "model/state.hpp"
#include "model/wire.hpp"

namespace aegis {
namespace {

Error unreadable(std::string code, std::string message, const std::string& where) {
  return Error{.fault = Fault::file, .code = std::move(code), .message = std::move(message), .where = where};
}

// What the first bytes say about a file that is not ONNX; empty when they say nothing.
std::string_view not_onnx(std::string_view head) {
  const auto starts = [&](std::string_view magic) { return head.substr(0, magic.size()) == magic; };
  if (starts("\x1f\x8b")) return "is a gzip archive; unpack it first";
  if (starts("PK\x03\x04")) return "is a zip archive; unpack it first";
  if (starts("<")) return "is an HTML or XML page, not a model; the download probably failed, fetch it again";
  if (starts("{")) return "is JSON, not the binary form of ONNX; convert it first";
  if (head.size() >= 8 && (head.substr(4, 4) == "TFL3" || head.substr(4, 4) == "ORTM"))
    return "is a FlatBuffer (TFLite or ORT format), not ONNX; export the model as ONNX";
  return {};
}

Result<Model> load_file(std::shared_ptr<const File> file, const std::string& path) {
  if (file->size() == 0) return unreadable("IO901", "is empty, expected an ONNX model; fetch or export it again", path);
  std::string head(std::min<std::uint64_t>(file->size(), 64), '\0');
  AEGIS_CHECK(file->read(0, std::as_writable_bytes(std::span(head))));
  if (head.starts_with("version https://git-lfs"))
    return unreadable("IO902", "is a Git LFS pointer, not the model itself; run git lfs pull", path);
  if (const auto why = not_onnx(head); !why.empty()) return unreadable("IO901", std::string(why), path);

  auto skeleton = cut(*file, inline_payload_bytes);
  if (!skeleton) return std::move(skeleton).error();
  auto proto = std::make_unique<onnx::ModelProto>();
  {
    google::protobuf::io::ArrayInputStream array(skeleton->bytes.data(), static_cast<int>(skeleton->bytes.size()));
    google::protobuf::io::CodedInputStream input(&array);
    input.SetRecursionLimit(400);
    if (!proto->ParseFromCodedStream(&input) || !input.ConsumedEntireMessage())
      return unreadable("IO903", "is not a valid ONNX file: its messages do not parse; fetch or export it again", path);
  }
  if (!proto->has_graph())
    return unreadable("IO901", "holds no graph, expected an ONNX model; fetch or export it again", path);

  auto state = std::make_shared<Model::State>();
  state->proto = std::move(proto);
  for (const Cut& c : skeleton->cuts)
    state->payloads.push_back(TensorSource{
        .field = c.field, .from = TensorSource::Span{.file = file, .offset = c.offset, .length = c.length}});
  state->file = std::move(file);
  state->path = path;
  AEGIS_CHECK(build_index(*state, IdHints{}));
  return Model(std::move(state));
}

}  // namespace

Result<Model> load(const std::string& path) {
  AEGIS_TRY(auto file, File::open(path));
  if (!path.ends_with(".onnxtxt")) return load_file(std::move(file), path);
  std::string text(file->size(), '\0');
  AEGIS_CHECK(file->read(0, std::as_writable_bytes(std::span(text))));
  auto model = parse_text(text);
  if (model) return model;
  Error error = std::move(model).error();
  error.where = path;
  return error;
}

Result<Model> load_bytes(std::string bytes, std::string name) {
  const std::string path = name;
  return load_file(File::in_memory(std::move(bytes), std::move(name)), path);
}

}  // namespace aegis
