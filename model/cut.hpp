// Walking protobuf bytes without protobuf.
//
// An ONNX file is a tree of messages; nearly all of its bytes are the payload fields of TensorProtos. cut() walks the
// tree with pread windows and copies everything but the big payloads into a skeleton, which protobuf then parses: for
// any bytes, the skeleton parses exactly when the file would, to the same message. Where a payload was, its message
// gets a marker (marker.hpp); splice() of wire.hpp is the way back.
//
// Only messages that lead to something big are entered (onnx_wire.hpp); all other fields, unknown ones included, are
// copied as they are. What the limits speak of is counted before anything is allocated for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/dtype.hpp"
#include "model/file.hpp"
#include "model/limits.hpp"
#include "model/result.hpp"

namespace aegis {

struct Cut {
  std::uint32_t field = 0;  // of the message that it was cut from
  std::uint64_t offset = 0, length = 0;
};

struct Skeleton {
  std::string bytes;
  std::vector<Cut> cuts;  // by Marker::payload
  // Where the first field stands that has another type than ONNX gives it. Protobuf takes it for an unknown field; for
  // an ONNX model it is damage.
  std::optional<std::uint64_t> misfit;
};

// How many bytes of one payload stay in the skeleton, where shape propagation and rules read them.
struct Keep {
  std::uint64_t integers = 8u << 10, others = 1u << 10, texts = 64u << 10;
};

// The types of which shapes and axes are made: whether Keep::integers or Keep::others speaks of a payload.
bool may_hold_shapes(DType type);

// Errors: IO903 with the offset of the first bad byte and the path of its field, IO904 for a limit.
Result<Skeleton> cut(const File& file, const Limits& limits, const Keep& keep = {});

}  // namespace aegis
