#include "model/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "model/state.hpp"

namespace aegis {
namespace {

enum class Kind : std::uint8_t { model, graph, node, attribute, function, tensor, other };

// What a length-delimited field of a message holds (field numbers of onnx.proto).
Kind child(Kind parent, std::uint64_t field) {
  switch (parent) {
    case Kind::model: return field == 7 ? Kind::graph : field == 25 ? Kind::function : Kind::other;
    case Kind::graph: return field == 1 ? Kind::node : field == 5 ? Kind::tensor : Kind::other;
    case Kind::function: return field == 7 ? Kind::node : Kind::other;
    case Kind::node: return field == 5 ? Kind::attribute : Kind::other;
    case Kind::attribute:
      return field == 5 || field == 10 ? Kind::tensor : field == 6 || field == 11 ? Kind::graph : Kind::other;
    default: return Kind::other;
  }
}

std::optional<TensorSource::Field> payload_field(std::uint64_t field) {
  switch (field) {
    case 4: return TensorSource::Field::float_data;
    case 5: return TensorSource::Field::int32_data;
    case 7: return TensorSource::Field::int64_data;
    case 9: return TensorSource::Field::raw;
    case 10: return TensorSource::Field::double_data;
    case 11: return TensorSource::Field::uint64_data;
    default: return std::nullopt;
  }
}
std::uint64_t field_number(TensorSource::Field field) {
  switch (field) {
    case TensorSource::Field::float_data: return 4;
    case TensorSource::Field::int32_data: return 5;
    case TensorSource::Field::string_data: return 6;
    case TensorSource::Field::int64_data: return 7;
    case TensorSource::Field::raw: return 9;
    case TensorSource::Field::double_data: return 10;
    case TensorSource::Field::uint64_data: return 11;
  }
  return 9;
}

enum Wire : std::uint64_t { varint = 0, fixed64 = 1, delimited = 2, group = 3, group_end = 4, fixed32 = 5 };

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}
void put_delimited(std::string& out, std::uint64_t field, std::uint64_t length) {
  put_varint(out, field << 3 | delimited);
  put_varint(out, length);
}
void put_marker(std::string& out, std::size_t payload) {
  put_varint(out, std::uint64_t{marker_field} << 3 | varint);
  put_varint(out, payload);
}

// Windows over a file: small reads come from a buffer, so that a walk costs one pread for every 64 KiB that it looks
// at.
class Reader {
 public:
  explicit Reader(const File& file) : file_(file) {}

  Error damaged(std::uint64_t at, std::string_view what) const {
    return Error{.fault = Fault::file,
                 .code = "IO903",
                 .message = fmt::format("is not a valid ONNX file: {} at byte {}; fetch or export it again", what, at),
                 .where = file_.name()};
  }
  Result<std::uint8_t> byte(std::uint64_t at) {
    if (at < start_ || at >= start_ + window_.size()) AEGIS_CHECK(fill(at));
    return std::to_integer<std::uint8_t>(window_[at - start_]);
  }
  // Reads a varint at `at` and moves `at` past it; it must end before `end`.
  Result<std::uint64_t> read_varint(std::uint64_t& at, std::uint64_t end) {
    std::uint64_t value = 0;
    const std::uint64_t from = at;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (at >= end) return damaged(from, "a number is cut off");
      AEGIS_TRY(const std::uint8_t b, byte(at));
      ++at;
      if (shift < 64) value |= std::uint64_t{b & 0x7fu} << shift;
      if (b < 0x80) return value;
    }
    return damaged(from, "a number is longer than 10 bytes");
  }
  Result<void> copy(std::uint64_t from, std::uint64_t length, std::string& out) {
    const std::size_t old = out.size();
    out.resize(old + length);
    return file_.read(from, std::as_writable_bytes(std::span(out).subspan(old)));
  }

 private:
  Result<void> fill(std::uint64_t at) {
    window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(64u << 10, file_.size() - at)));
    start_ = at;
    return file_.read(at, window_);
  }
  const File& file_;
  std::uint64_t start_ = 0;
  Bytes window_;
};

struct Field {
  std::uint64_t number = 0, wire = 0;
  std::uint64_t begin = 0;  // of the tag
  std::uint64_t body = 0;   // of the contents
  std::uint64_t end = 0;    // past the field
};

class Cutter {
 public:
  Cutter(const File& file, std::uint64_t keep) : reader_(file), keep_(keep) {}

  Result<Skeleton> run(std::uint64_t size) {
    AEGIS_CHECK(message(Kind::model, 0, size, skeleton_.bytes, 0));
    return std::move(skeleton_);
  }

 private:
  Result<Field> next(std::uint64_t at, std::uint64_t end) {
    Field f{.begin = at};
    AEGIS_TRY(const std::uint64_t tag, reader_.read_varint(at, end));
    f.number = tag >> 3;
    f.wire = tag & 7;
    if (f.number == 0) return reader_.damaged(f.begin, "a field has the number 0");
    std::uint64_t length = 0;
    switch (f.wire) {
      case varint: {
        f.body = at;
        AEGIS_TRY([[maybe_unused]] const std::uint64_t value, reader_.read_varint(at, end));
        f.end = at;
        return f;
      }
      case fixed64: length = 8; break;
      case fixed32: length = 4; break;
      case delimited: {
        AEGIS_TRY(length, reader_.read_varint(at, end));
        break;
      }
      default: return reader_.damaged(f.begin, fmt::format("a field has the wire type {}", f.wire));
    }
    f.body = at;
    if (length > end - at) return reader_.damaged(f.begin, "a field is longer than the message that holds it");
    f.end = at + length;
    return f;
  }

  Result<void> message(Kind kind, std::uint64_t at, std::uint64_t end, std::string& out, int depth) {
    if (depth > max_depth) return reader_.damaged(at, "messages are nested deeper than 200 levels");
    if (kind == Kind::tensor) return tensor(at, end, out);
    while (at < end) {
      AEGIS_TRY(const Field f, next(at, end));
      at = f.end;
      const Kind inner = f.wire == delimited ? child(kind, f.number) : Kind::other;
      if (inner == Kind::other) {
        AEGIS_CHECK(reader_.copy(f.begin, f.end - f.begin, out));
        continue;
      }
      std::string body;
      AEGIS_CHECK(message(inner, f.body, f.end, body, depth + 1));
      put_delimited(out, f.number, body.size());
      out += body;
    }
    return {};
  }

  // A tensor loses its payload only when it has exactly one: anything else is for protobuf's own merge rules.
  Result<void> tensor(std::uint64_t at, std::uint64_t end, std::string& out) {
    std::vector<Field> fields;
    int payloads = 0;
    while (at < end) {
      AEGIS_TRY(const Field f, next(at, end));
      at = f.end;
      if (f.number == marker_field) return reader_.damaged(f.begin, "a tensor uses a field number reserved by aegis");
      if (payload_field(f.number)) ++payloads;
      // Unpacked elements come as very many small fields: copy runs of them, not each alone.
      if (f.wire != delimited && !fields.empty() && fields.back().wire != delimited) {
        fields.back().end = f.end;
        continue;
      }
      fields.push_back(f);
    }
    for (const Field& f : fields) {
      const auto kind = f.wire == delimited ? payload_field(f.number) : std::nullopt;
      if (payloads == 1 && kind && f.end - f.body > keep_) {
        put_marker(out, skeleton_.cuts.size());
        skeleton_.cuts.push_back({.field = *kind, .offset = f.body, .length = f.end - f.body});
      } else {
        AEGIS_CHECK(reader_.copy(f.begin, f.end - f.begin, out));
      }
    }
    return {};
  }

  static constexpr int max_depth = 200;
  Reader reader_;
  std::uint64_t keep_;
  Skeleton skeleton_;
};

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
      const std::uint64_t tag = read(at), number = tag >> 3, wire = tag & 7;
      if (kind == Kind::tensor && number == marker_field) {
        payload(static_cast<std::size_t>(read(at)));
        continue;
      }
      std::uint64_t length = wire == fixed64 ? 8 : wire == fixed32 ? 4 : 0;
      if (wire == varint) read(at);
      if (wire == delimited) length = read(at);
      const std::size_t body = at;
      at += length;
      const Kind inner = wire == delimited ? child(kind, number) : Kind::other;
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
  bool holds_marker(Kind kind, std::size_t at, std::size_t end) const {
    while (at < end) {
      const std::uint64_t tag = read(at), number = tag >> 3, wire = tag & 7;
      if (kind == Kind::tensor && number == marker_field) return true;
      std::uint64_t length = wire == fixed64 ? 8 : wire == fixed32 ? 4 : 0;
      if (wire == varint) read(at);
      if (wire == delimited) length = read(at);
      const Kind inner = wire == delimited ? child(kind, number) : Kind::other;
      if (inner != Kind::other && holds_marker(inner, at, at + length)) return true;
      at += length;
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
  void payload(std::size_t number) {
    const TensorSource& source = payloads_[number];
    rope_.headers.push_back(std::make_unique<std::string>());
    put_delimited(*rope_.headers.back(), field_number(source.field), source.stored_size());
    rope_.pieces.push_back({.bytes = *rope_.headers.back()});
    rope_.pieces.push_back({.payload = static_cast<std::int64_t>(number)});
    rope_.size += rope_.headers.back()->size() + source.stored_size();
  }

  std::string_view bytes_;
  const std::vector<TensorSource>& payloads_;
  Rope& rope_;
};

}  // namespace

Result<Skeleton> cut(const File& file, std::uint64_t keep) { return Cutter(file, keep).run(file.size()); }

Rope splice(std::string_view skeleton, const std::vector<TensorSource>& payloads) {
  Rope rope;
  Splicer(skeleton, payloads, rope).message(Kind::model, 0, skeleton.size());
  return rope;
}

}  // namespace aegis
