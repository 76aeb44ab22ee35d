// From a TensorProto to the place of its bytes.
#include <bit>
#include <charconv>

#include "model/external.hpp"
#include "model/state.hpp"

namespace aegis {
namespace {

std::string raw_payload(const onnx::TensorProto& t) {
  if (t.has_raw_data()) return t.raw_data();
  std::string out;
  const auto type = static_cast<DType>(t.data_type());
  const auto put = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  };
  const int width = bits(type) < 8 ? 1 : bits(type) / 8;
  for (const float f : t.float_data()) put(std::bit_cast<std::uint32_t>(f), 4);
  for (const double d : t.double_data()) put(std::bit_cast<std::uint64_t>(d), 8);
  for (const std::int32_t i : t.int32_data()) put(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), width);
  for (const std::int64_t i : t.int64_data()) put(static_cast<std::uint64_t>(i), 8);
  for (const std::uint64_t i : t.uint64_data()) put(i, width);
  return out;
}

// A number of bytes as external_data spells it: decimal digits and nothing else.
std::uint64_t byte_count(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = problem == std::errc() && end == text.data() + text.size();
  return number && value < to_the_end ? value : no_byte_count;
}

}  // namespace

TensorSource tensor_source(const onnx::TensorProto& tensor, std::span<const TensorSource> payloads,
                           const TensorSource::External& beside) {
  TensorSource source{.type = static_cast<DType>(tensor.data_type()),
                      .dims = {tensor.dims().begin(), tensor.dims().end()}};
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    TensorSource::External external = beside;
    external.length = to_the_end;
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") external.location = entry.value();
      if (entry.key() == "offset") external.offset = byte_count(entry.value());
      if (entry.key() == "length") external.length = byte_count(entry.value());
    }
    source.from = std::move(external);
    return source;
  }
  if (const auto marker = payload_marker(tensor); marker && marker->payload < payloads.size()) {
    source.field = payloads[marker->payload].field;
    source.from = payloads[marker->payload].from;
    return source;
  }
  source.from = std::make_shared<const std::string>(raw_payload(tensor));
  return source;
}

}  // namespace aegis
