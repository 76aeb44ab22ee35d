#include "tests/unit/model/wire_bytes.hpp"

#include <onnx/onnx_pb.h>

#include <memory>
#include <vector>

#include "model/tensor.hpp"
#include "model/wire.hpp"

namespace aegis::test {

Result<Skeleton> cut_bytes(const std::string& bytes, const Keep& keep) {
  return cut(*File::in_memory(bytes, "bytes"), Limits{}, keep);
}

std::string same_as_protobuf(const std::string& bytes, const Keep& keep) {
  onnx::ModelProto whole, skeleton, again;
  const bool parses = whole.ParseFromString(bytes);
  const auto made = cut_bytes(bytes, keep);
  if (!made) return parses ? "protobuf reads what is refused: " + made.error().message : "";
  if (!skeleton.ParseFromString(made->bytes)) return parses ? "the skeleton does not parse, the file does" : "";
  std::vector<TensorSource> payloads;
  for (const Cut& c : made->cuts)
    payloads.emplace_back().from = std::make_shared<const std::string>(bytes.substr(c.offset, c.length));
  const std::string serialised = skeleton.SerializeAsString();
  const Rope rope = splice(serialised, payloads);
  std::string spliced;
  for (const Piece& piece : rope.pieces) {
    if (piece.payload >= 0)
      spliced += *std::get<TensorSource::Owned>(payloads[static_cast<std::size_t>(piece.payload)].from);
    else
      spliced += piece.bytes;
  }
  if (again.ParseFromString(spliced) != parses) return parses ? "what is spliced does not parse" : "";
  if (!parses) return "";
  return again.SerializeAsString() == whole.SerializeAsString() ? "" : "what is spliced is another message";
}

}  // namespace aegis::test
