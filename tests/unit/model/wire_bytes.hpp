// Protobuf bytes made by hand, also ones that protobuf would never write, and the comparison with its parser.
#pragma once

#include <string>
#include <string_view>

#include "model/cut.hpp"
#include "model/onnx_wire.hpp"

namespace aegis::test {

inline std::string field(std::uint32_t number, std::string_view body) {
  std::string out;
  wire::put_delimited(out, number, body.size());
  return out.append(body);
}
inline std::string varint_field(std::uint32_t number, std::uint64_t value) {
  std::string out;
  wire::put_varint(out, number << 3 | wire::varint);
  wire::put_varint(out, value);
  return out;
}
inline std::string fixed64_field(std::uint32_t number, std::uint64_t value) {
  std::string out;
  wire::put_varint(out, number << 3 | wire::fixed64);
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(value >> shift & 0xff));
  return out;
}
inline std::string fixed32_field(std::uint32_t number, std::uint32_t value) {
  std::string out;
  wire::put_varint(out, number << 3 | wire::fixed32);
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift & 0xff));
  return out;
}

Result<Skeleton> cut_bytes(const std::string& bytes, const Keep& keep = {});

// Protobuf reads a message from the bytes exactly when it reads one from the skeleton, and with the payloads spliced
// back in it is the same message. Empty: that holds; else what does not.
std::string same_as_protobuf(const std::string& bytes, const Keep& keep = {});

}  // namespace aegis::test
