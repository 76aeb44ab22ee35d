// Markers: what stands in a skeleton where a payload was cut out. For field n of a message it is an unknown field
// marker_base + n of 64 fixed bits: a number that is drawn at random when the process starts, plus the payload's index
// in Model::State::payloads. A file that brings such a field cannot know the number, so what it brings is one more
// unknown field, kept as it is. Markers are never written to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace onnx {
class TensorProto;
}

namespace aegis {

struct Marker {
  std::uint32_t field = 0;    // of the message that it stands in
  std::uint32_t payload = 0;  // index of Model::State::payloads
};

void put_marker(std::string& out, Marker marker);
// What an unknown field of type fixed64 says; absent for one that Aegis did not make.
std::optional<Marker> read_marker(std::uint32_t field_number, std::uint64_t bits);

// The marker of a tensor's elements; absent when they are not cut out.
std::optional<Marker> payload_marker(const onnx::TensorProto& tensor);
void set_marker(onnx::TensorProto& tensor, Marker marker);
void clear_marker(onnx::TensorProto& tensor);

}  // namespace aegis
