// Walking protobuf bytes without protobuf.
//
// An ONNX file is a tree of messages; nearly all of its bytes are the payload fields of TensorProtos. cut() walks the
// tree with pread windows and copies everything but the big payloads into a skeleton, which protobuf then parses.
// Where a payload was, the TensorProto gets a marker field (state.hpp). splice() is the way back: it walks a
// serialised skeleton and puts payloads in where the markers stand, correcting the lengths of all enclosing messages.
//
// Only the messages that lead to a TensorProto are entered: ModelProto, GraphProto, NodeProto, AttributeProto,
// FunctionProto. All other fields, unknown ones included, are copied as they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/file.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

struct Cut {
  TensorSource::Field field;
  std::uint64_t offset = 0, length = 0;
};

struct Skeleton {
  std::string bytes;
  std::vector<Cut> cuts;  // by marker
};

// Payloads of at most `keep` bytes stay in the skeleton. Errors: IO903 with the offset of the first bad byte.
Result<Skeleton> cut(const File& file, std::uint64_t keep);

// A serialised model in pieces: literal bytes, or the payload with that number.
struct Piece {
  std::string_view bytes;  // of the skeleton, or of `headers`
  std::int64_t payload = -1;
};
struct Rope {
  std::vector<Piece> pieces;
  std::uint64_t size = 0;
  std::vector<std::unique_ptr<std::string>> headers;  // owns rewritten tags and lengths
};
Rope splice(std::string_view skeleton, const std::vector<TensorSource>& payloads);

}  // namespace aegis
