#include "model/load.hpp"

#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <istream>
#include <span>

#include "model/call_depth.hpp"
#include "model/cut.hpp"
#include "model/descriptor.hpp"
#include "model/external.hpp"
#include "model/foreign_format.hpp"
#include "model/open_file.hpp"
#include "model/out_of_memory.hpp"
#include "model/pointer.hpp"
#include "model/state.hpp"
#include "model/versions.hpp"
#include "model/wire_fault.hpp"

namespace aegis {
namespace {

Error unreadable(std::string code, std::string message, const std::string& where) {
  return Error{.fault = Fault::file, .code = std::move(code), .message = std::move(message), .where = where};
}

bool parse(const std::string& bytes, const Limits& limits, onnx::ModelProto& proto) {
  google::protobuf::io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream input(&array);
  input.SetRecursionLimit(static_cast<int>(std::min<std::uint64_t>(limits.wire_depth, INT_MAX)));
  return proto.ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

// The refusal of bytes that are no ONNX model: by the name of their format where that can be told.
Error refuse(const File& file, Error otherwise) {
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), 512)), '\0');
  if (!file.read(0, std::as_writable_bytes(std::span(head)))) return otherwise;
  const std::string_view format = foreign_format(head);
  return format.empty() ? std::move(otherwise) : unreadable("IO901", std::string(format), file.name());
}

Result<Model> load_file(std::shared_ptr<const File> file, const std::string& path, const LoadOptions& options) {
  if (file->size() == 0) return unreadable("IO901", "is empty, expected an ONNX model; fetch or export it again", path);
  auto skeleton = cut(*file, options.limits);
  if (!skeleton) return refuse(*file, std::move(skeleton).error());
  // One arena for the whole skeleton: a hundred thousand nodes are a million small objects to make and to free.
  const auto arena = std::make_shared<google::protobuf::Arena>();
  const std::shared_ptr<onnx::ModelProto> proto(arena,
                                                google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&*arena));
  if (!parse(skeleton->bytes, options.limits, *proto)) return refuse(*file, wire_fault(*file, options.limits));
  skeleton->bytes = {};
  if (skeleton->misfit) return refuse(*file, wrong_type(*file, *skeleton->misfit));
  if (!proto->has_graph())
    return refuse(*file, unreadable("IO901", "holds no graph, expected an ONNX model; fetch or export it again", path));

  auto state = std::make_shared<Model::State>();
  state->proto = proto;
  state->payloads.reserve(skeleton->cuts.size());
  for (const Cut& c : skeleton->cuts)
    state->payloads.push_back(
        TensorSource{.field = static_cast<TensorSource::Field>(c.field),
                     .from = TensorSource::Span{.file = file, .offset = c.offset, .length = c.length}});
  state->file = std::move(file);
  state->path = path;
  state->beside.model = path;
  state->beside.policy = options.external_data;
  state->beside.resolve_pointers = options.resolve_pointers;
  AEGIS_CHECK(build_index(*state, IdHints{}));
  AEGIS_CHECK(check_call_depth(*state, options.limits));
  look_at_external(*state);
  look_at_versions(*state);
  return Model(std::move(state));
}

// A copy of what a stream holds, in a file that has no name.
Result<std::shared_ptr<const File>> spool(std::istream& in, const std::string& name) {
  Descriptor copy(open_nameless());
  std::string piece(1u << 20, '\0');
  bool written = copy.get() >= 0;
  while (written && in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    written = write_all(copy.get(), std::as_bytes(std::span(piece)).first(static_cast<std::size_t>(in.gcount())));
  }
  if (written) return File::adopt(copy.release(), name);
  return unreadable(
      "IO903",
      fmt::format("cannot be copied to a temporary file: {}; free some space or set TMPDIR", std::strerror(errno)),
      name);
}

// The file at `path`, or the object behind a pointer that stands in its place.
Result<std::shared_ptr<const File>> open_model(const std::string& path, bool resolve) {
  auto file = File::open(path);
  auto object = file ? behind_pointer(**file, resolve) : behind_dvc_pointer(path, resolve);
  return object ? *std::move(object) : std::move(file);
}

}  // namespace

Result<Model> load(const std::string& path, const LoadOptions& options) {
  return guarded([&]() -> Result<Model> {
    AEGIS_TRY(auto file, open_model(path, options.resolve_pointers));
    if (!path.ends_with(".onnxtxt")) return load_file(std::move(file), path, options);
    std::string text(file->size(), '\0');
    AEGIS_CHECK(file->read(0, std::as_writable_bytes(std::span(text))));
    auto model = parse_text(text);
    if (model) return model;
    Error error = std::move(model).error();
    error.where = path;
    return error;
  });
}

Result<Model> load_stream(std::istream& in, std::string name, const LoadOptions& options) {
  return guarded([&]() -> Result<Model> {
    AEGIS_TRY(auto file, spool(in, name));
    return load_file(std::move(file), name, options);
  });
}

Result<Model> load_bytes(std::string bytes, std::string name, const LoadOptions& options) {
  return guarded([&]() -> Result<Model> {
    const auto file = File::in_memory(std::move(bytes), name);
    if (auto object = behind_pointer(*file, options.resolve_pointers)) {
      AEGIS_TRY(auto found, *std::move(object));
      return load_file(std::move(found), name, options);
    }
    return load_file(file, name, options);
  });
}

}  // namespace aegis
