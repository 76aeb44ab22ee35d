// The writer. An unchanged model is its file, copied. An edited one is its skeleton, serialised deterministically,
// with the payloads spliced in at their markers: the only place that makes tensor bytes.
#include "model/save.hpp"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "model/staged_file.hpp"
#include "model/state.hpp"
#include "model/wire.hpp"

namespace aegis {
namespace {

std::string skeleton_bytes(const onnx::ModelProto& proto) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  proto.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

Result<void> write_model(const Model& model, const Sink& sink) {
  const Model::State& s = model.state();
  if (!s.edited && s.file) {
    Bytes buffer(static_cast<std::size_t>(std::min<std::uint64_t>(1u << 20, s.file->size())));
    for (std::uint64_t at = 0; at < s.file->size();) {
      const auto piece = std::span(buffer).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), s.file->size() - at)));
      AEGIS_CHECK(s.file->read(at, piece));
      AEGIS_CHECK(sink(piece));
      at += piece.size();
    }
    return {};
  }
  const std::string skeleton = skeleton_bytes(*s.proto);
  const Rope rope = splice(skeleton, s.payloads);
  if (rope.size > max_inline_bytes)
    return Error{
        .fault = Fault::file,
        .code = "ST514",
        .message = fmt::format("the result would take {} bytes, protobuf allows {} in one file; keep weights in "
                               "external data",
                               rope.size, max_inline_bytes)};
  for (const Piece& piece : rope.pieces) {
    if (piece.payload >= 0)
      AEGIS_CHECK(s.payloads[static_cast<std::size_t>(piece.payload)].stream_stored(sink));
    else if (!piece.bytes.empty())
      AEGIS_CHECK(sink(std::as_bytes(std::span(piece.bytes))));
  }
  return {};
}

}  // namespace

Result<void> save(const Model& model, const std::string& path, Overwrite overwrite) {
  StagedFile staged(path);
  AEGIS_CHECK(staged.open());
  AEGIS_CHECK(write_model(model, [&](std::span<const std::byte> piece) { return staged.write(piece); }));
  return staged.commit(overwrite);
}

Result<void> save_bytes(std::string_view bytes, const std::string& path, Overwrite overwrite) {
  StagedFile staged(path);
  AEGIS_CHECK(staged.open());
  AEGIS_CHECK(staged.write(std::as_bytes(std::span(bytes))));
  return staged.commit(overwrite);
}

Result<std::string> serialise(const Model& model) {
  std::string out;
  AEGIS_CHECK(write_model(model, [&](std::span<const std::byte> piece) -> Result<void> {
    out.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  }));
  return out;
}

Result<void> complete_proto(const Model& model, onnx::ModelProto& out) {
  AEGIS_TRY(const std::string bytes, serialise(model));
  if (!out.ParseFromString(bytes))
    return Error{.fault = Fault::internal, .message = "a serialised model does not parse again"};
  return {};
}

}  // namespace aegis
