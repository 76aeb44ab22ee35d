// Where things stand in ONNX's messages, by field number: which fields lead to tensors, which may hold very many bytes,
// which are names. The walk that cuts payloads out and the one that puts them back read the same table.
#pragma once

#include <cstdint>
#include <string>

namespace aegis::wire {

enum class Kind : std::uint8_t {
  other,  // everything that is not entered
  model,
  graph,
  node,
  attribute,
  function,
  tensor,
  sparse,
  training,
  value,  // ValueInfoProto
  entry,  // StringStringEntryProto
};

enum Type : std::uint8_t { varint = 0, fixed64 = 1, delimited = 2, group = 3, group_end = 4, fixed32 = 5 };

// The kind of message that a length-delimited field holds.
Kind child(Kind parent, std::uint32_t field);
// Such a field may stand in a message once only; protobuf merges a second one into the first.
bool singular(Kind parent, std::uint32_t field);

// Texts and blobs that may be cut out: EPContext, documentation, metadata.
bool is_text(Kind kind, std::uint32_t field);
// The fields of a tensor that hold its elements.
bool is_payload(std::uint32_t field);
bool is_name(Kind kind, std::uint32_t field);
// False for a field that ONNX knows with another type on the wire: protobuf takes it for an unknown one.
bool fits(Kind kind, std::uint32_t field, std::uint8_t type);

void put_varint(std::string& out, std::uint64_t value);
void put_delimited(std::string& out, std::uint32_t field, std::uint64_t length);

}  // namespace aegis::wire
