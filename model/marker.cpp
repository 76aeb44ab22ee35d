#include "model/marker.hpp"

#include <onnx/onnx_pb.h>
#include <sys/random.h>

#include "model/onnx_wire.hpp"

namespace aegis {
namespace {

constexpr std::uint32_t marker_base = 0x0ae600;
constexpr std::uint32_t marker_fields = 32;

std::uint64_t secret() {
  static const std::uint64_t drawn = [] {
    std::uint64_t bits = 0;
    while (::getrandom(&bits, sizeof bits, 0) != sizeof bits) {
    }
    return bits;
  }();
  return drawn;
}

}  // namespace

void put_marker(std::string& out, Marker marker) {
  wire::put_varint(out, std::uint64_t{marker_base + marker.field} << 3 | wire::fixed64);
  const std::uint64_t bits = secret() + marker.payload;
  for (int shift = 0; shift < 64; shift += 8) out.push_back(static_cast<char>(bits >> shift & 0xff));
}

std::optional<Marker> read_marker(std::uint32_t field_number, std::uint64_t bits) {
  const std::uint32_t field = field_number - marker_base;  // wraps for smaller numbers
  const std::uint64_t payload = bits - secret();
  if (field >= marker_fields || payload > INT32_MAX) return std::nullopt;
  return Marker{.field = field, .payload = static_cast<std::uint32_t>(payload)};
}

std::optional<Marker> payload_marker(const onnx::TensorProto& tensor) {
  const auto& unknown = tensor.unknown_fields();
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    if (field.type() != google::protobuf::UnknownField::TYPE_FIXED64) continue;
    const auto marker = read_marker(static_cast<std::uint32_t>(field.number()), field.fixed64());
    if (marker && wire::is_payload(marker->field)) return marker;
  }
  return std::nullopt;
}

void clear_marker(onnx::TensorProto& tensor) {
  auto* unknown = tensor.mutable_unknown_fields();
  for (std::uint32_t field = 0; field < marker_fields; ++field)
    if (wire::is_payload(field)) unknown->DeleteByNumber(static_cast<int>(marker_base + field));
}

void set_marker(onnx::TensorProto& tensor, Marker marker) {
  clear_marker(tensor);
  tensor.mutable_unknown_fields()->AddFixed64(static_cast<int>(marker_base + marker.field), secret() + marker.payload);
}

}  // namespace aegis
