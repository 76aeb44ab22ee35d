#include "model/wire.hpp"

#include <memory>

#include "model/marker.hpp"
#include "model/onnx_wire.hpp"

namespace aegis {
namespace {

using namespace wire;

// The skeleton comes from protobuf's own serialiser, so its bytes are well-formed.
class Splicer {
 public:
  Splicer(std::string_view skeleton, const std::vector<TensorSource>& payloads, Rope& rope)
      : bytes_(skeleton), payloads_(payloads), rope_(rope) {}

  // Appends the pieces of the message bytes_[at, end) and returns their size.
  std::uint64_t message(Kind kind, std::size_t at, std::size_t end) {
    const std::uint64_t before = rope_.size;
    while (at < end) {
      const std::size_t begin = at;
      const std::uint64_t tag = read(at), type = tag & 7;
      const auto number = static_cast<std::uint32_t>(tag >> 3);
      if (const auto marker = type == fixed64 ? read_marker(number, bits(at)) : std::nullopt) {
        payload(*marker);
        at += 8;
        continue;
      }
      const std::size_t body = contents(number, type, at);
      const Kind inner = type == delimited ? child(kind, number) : Kind::other;
      if (inner == Kind::other || !holds_marker(inner, body, at)) {
        literal(bytes_.substr(begin, at - begin));
        continue;
      }
      // Lengths come before contents: leave a place for the header and fill it when the size is known.
      const std::size_t place = rope_.pieces.size();
      rope_.pieces.push_back({});
      const std::uint64_t size = message(inner, body, at);
      rope_.headers.push_back(std::make_unique<std::string>());
      put_delimited(*rope_.headers.back(), number, size);
      rope_.pieces[place].bytes = *rope_.headers.back();
      rope_.size += rope_.headers.back()->size();
    }
    return rope_.size - before;
  }

 private:
  std::uint64_t read(std::size_t& at) const {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto b = static_cast<std::uint8_t>(bytes_[at++]);
      value |= std::uint64_t{b & 0x7fu} << shift;
      if (b < 0x80) return value;
    }
  }
  std::uint64_t bits(std::size_t at) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at + i])} << (8 * i);
    return value;
  }
  // Where the contents of a field begin whose tag ends at `at`, which moves past the field.
  std::size_t contents(std::uint32_t number, std::uint64_t type, std::size_t& at) const {
    std::uint64_t length = type == fixed64 ? 8 : type == fixed32 ? 4 : 0;
    if (type == delimited) length = read(at);
    const std::size_t body = at;
    if (type == varint) read(at);
    if (type == group) skip_group(number, at);
    at += length;
    return body;
  }
  // A group is an unknown field to ONNX: what stands in it only looks like fields of the message around it.
  void skip_group(std::uint32_t number, std::size_t& at) const {
    for (;;) {
      const std::uint64_t tag = read(at);
      if (tag == (std::uint64_t{number} << 3 | group_end)) return;
      contents(static_cast<std::uint32_t>(tag >> 3), tag & 7, at);
    }
  }
  bool holds_marker(Kind kind, std::size_t at, std::size_t end) const {
    while (at < end) {
      const std::uint64_t tag = read(at), type = tag & 7;
      const auto number = static_cast<std::uint32_t>(tag >> 3);
      if (type == fixed64 && read_marker(number, bits(at))) return true;
      const std::size_t body = contents(number, type, at);
      const Kind inner = type == delimited ? child(kind, number) : Kind::other;
      if (inner != Kind::other && holds_marker(inner, body, at)) return true;
    }
    return false;
  }
  void literal(std::string_view text) {
    rope_.size += text.size();
    if (!rope_.pieces.empty()) {  // grow the last piece when it is its neighbour in the skeleton
      auto& last = rope_.pieces.back();
      if (last.payload < 0 && !last.bytes.empty() && last.bytes.data() + last.bytes.size() == text.data()) {
        last.bytes = {last.bytes.data(), last.bytes.size() + text.size()};
        return;
      }
    }
    rope_.pieces.push_back({.bytes = text});
  }
  void payload(const Marker& marker) {
    const TensorSource& source = payloads_[marker.payload];
    rope_.headers.push_back(std::make_unique<std::string>());
    put_delimited(*rope_.headers.back(), marker.field, source.stored_size());
    rope_.pieces.push_back({.bytes = *rope_.headers.back()});
    rope_.pieces.push_back({.payload = static_cast<std::int64_t>(marker.payload)});
    rope_.size += rope_.headers.back()->size() + source.stored_size();
  }

  std::string_view bytes_;
  const std::vector<TensorSource>& payloads_;
  Rope& rope_;
};

}  // namespace

Rope splice(std::string_view skeleton, const std::vector<TensorSource>& payloads) {
  Rope rope;
  Splicer(skeleton, payloads, rope).message(Kind::model, 0, skeleton.size());
  return rope;
}

}  // namespace aegis
