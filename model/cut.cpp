// One walk, one pass. Bytes that stay are copied in runs as long as the walk finds nothing to cut. Lengths stand before
// contents and shrink when something inside is cut, so a message that may hold a cut gets a length of five bytes,
// padded as varints may be, which is filled in when its end is reached. Messages too small to hold a cut are walked to
// count what limits speak of, and copied whole.
//
// Protobuf merges a singular field that stands in a message twice, and the last of two payloads wins; a cut can express
// neither. Where one meets this, the message around it is walked again and kept as it is.
#include "model/cut.hpp"

#include <algorithm>
#include <optional>

#include "model/marker.hpp"
#include "model/onnx_wire.hpp"
#include "model/window.hpp"
#include "model/wire_fault.hpp"

namespace aegis {
namespace {

using wire::Kind;

constexpr std::size_t length_bytes = 5;  // of a length that is filled in later; 2^35 is more than a skeleton may have
constexpr std::uint64_t longest_varint = 10, longest_tag = 5;

struct Head {
  std::uint32_t number = 0;
  std::uint8_t type = 0;
  std::uint64_t begin = 0;  // of the tag
  std::uint64_t body = 0;   // of the contents
  std::uint64_t end = 0;    // past the field
  std::uint64_t value = 0;  // of a varint
};

// What the walk of one message remembers of it.
struct Seen {
  std::uint32_t fields = 0;  // singular fields that were met, by number
  std::uint64_t type = 0;    // of a tensor
  bool payload_cut = false;  // the payload that a tensor showed first is cut out
  bool conflict = false;     // something stands twice that a cut cannot express
};

class Cutter {
 public:
  Cutter(const File& file, const Limits& limits, const Keep& keep)
      : file_(file), window_(file), limits_(limits), keep_(keep) {}

  Result<Skeleton> run() {
    const Place top{.depth = 0, .graphs = 0, .cutting = true};
    if (message(Kind::model, 0, file_.size(), top) && keep_up_to(file_.size())) return std::move(skeleton_);
    return std::move(*error_);
  }

 private:
  struct Place {
    std::uint64_t depth = 0, graphs = 0;  // messages and graphs around
    bool cutting = false;
  };

  // --- errors: the first one ends the walk

  bool fail(Error error) {
    if (!error_) error_ = std::move(error);
    return false;
  }
  bool malformed() { return fail(wire_fault(file_, limits_)); }
  bool limit(std::uint64_t Limits::* which, std::uint64_t found, std::uint64_t at) {
    Error error = limit_reached(limits_, which, found, file_.name());
    error.notes.push_back("at byte " + std::to_string(at) + ", " + wire_path(file_, at));
    return fail(std::move(error));
  }
  bool count(std::uint64_t& counter, std::uint64_t Limits::* which, std::uint64_t at) {
    return ++counter <= limits_.*which || limit(which, counter, at);
  }

  // --- reading

  // Makes at least min(need, end - at) bytes from `at` stand in the window.
  bool look(std::uint64_t at, std::uint64_t need, std::uint64_t end) {
    if (window_.holds(at, std::min(need, end - at))) return true;
    if (!keep_up_to(std::min(at, window_.end()))) return false;
    const auto moved = window_.move_to(at);
    return moved || fail(moved.error());
  }

  // A varint of at most `longest` bytes at `at`, which moves past it.
  bool number(std::uint64_t& at, std::uint64_t end, std::uint64_t longest, std::uint64_t& value) {
    if (!look(at, longest, end)) return false;
    const auto bytes = window_.from(at);
    const std::size_t most = static_cast<std::size_t>(std::min({std::uint64_t{bytes.size()}, longest, end - at}));
    value = 0;
    for (std::size_t i = 0; i < most; ++i) {
      const auto b = std::to_integer<std::uint64_t>(bytes[i]);
      if (i < 9)
        value |= (b & 0x7f) << (7 * i);
      else
        value |= b << 63;
      if (b >= 0x80) continue;
      at += i + 1;
      return true;
    }
    return malformed();
  }

  bool next(std::uint64_t at, std::uint64_t end, std::uint64_t depth, Head& f) {
    f.begin = at;
    std::uint64_t tag = 0;
    if (!number(at, end, longest_tag, tag)) return false;
    f.number = static_cast<std::uint32_t>(tag) >> 3;
    f.type = tag & 7;
    if (f.number == 0) return malformed();
    std::uint64_t length = 0;
    switch (f.type) {
      case wire::varint:
        f.body = at;
        if (!number(at, end, longest_varint, f.value)) return false;
        f.end = at;
        return true;
      case wire::fixed64: length = 8; break;
      case wire::fixed32: length = 4; break;
      case wire::delimited: {
        const std::uint64_t from = at;
        if (!number(at, end, longest_varint, length)) return false;
        if (at - from > 5 && length >> 35 == 0) return malformed();  // protobuf reads five bytes
        break;
      }
      case wire::group: f.body = at; return skip_group(f, end, depth + 1);
      default: return malformed();
    }
    f.body = at;
    if (length > end - at) return malformed();
    f.end = at + length;
    return true;
  }

  // An unknown field in the old form that ends with a tag of its own.
  bool skip_group(Head& f, std::uint64_t end, std::uint64_t depth) {
    if (depth > limits_.wire_depth) return limit(&Limits::wire_depth, depth, f.begin);
    for (std::uint64_t at = f.body; at < end;) {
      std::uint64_t tag = 0, past = at;
      if (!number(past, end, longest_tag, tag)) return false;
      if ((tag & 7) == wire::group_end) {
        if (static_cast<std::uint32_t>(tag) >> 3 != f.number) return malformed();
        f.end = past;
        return true;
      }
      Head inner;
      if (!next(at, end, depth, inner)) return false;
      at = inner.end;
    }
    return malformed();
  }

  // --- writing: what the file holds from kept_ on goes to the skeleton next

  bool keep_up_to(std::uint64_t at) {
    if (at <= kept_) return true;
    if (skeleton_.bytes.size() + (at - kept_) > limits_.skeleton_bytes)
      return limit(&Limits::skeleton_bytes, skeleton_.bytes.size() + (at - kept_), kept_);
    const std::size_t old = skeleton_.bytes.size();
    skeleton_.bytes.resize(old + static_cast<std::size_t>(at - kept_));
    auto out = std::as_writable_bytes(std::span(skeleton_.bytes).subspan(old));
    if (kept_ >= window_.begin() && kept_ < window_.end()) {
      const auto here = window_.from(kept_);
      const std::size_t n = std::min(here.size(), out.size());
      std::copy_n(here.begin(), n, out.begin());
      out = out.subspan(n);
    }
    const std::uint64_t rest = at - out.size();
    kept_ = at;
    if (out.empty()) return true;
    const auto read = file_.read(rest, out);
    return read || fail(read.error());
  }

  bool cut_out(const Head& f) {
    if (!keep_up_to(f.begin)) return false;
    put_marker(skeleton_.bytes, {.field = f.number, .payload = static_cast<std::uint32_t>(skeleton_.cuts.size())});
    skeleton_.cuts.push_back({.field = f.number, .offset = f.body, .length = f.end - f.body});
    kept_ = f.end;
    return true;
  }

  // --- walking

  bool message(Kind kind, std::uint64_t begin, std::uint64_t end, Place place) {
    const std::size_t size = skeleton_.bytes.size(), cuts = skeleton_.cuts.size();
    const auto counted = counted_;
    Seen seen;
    if (!fields(kind, begin, end, place, seen)) return false;
    if (!seen.conflict) return true;
    skeleton_.bytes.resize(size);
    skeleton_.cuts.resize(cuts);
    counted_ = counted;
    kept_ = begin;
    place.cutting = false;
    return fields(kind, begin, end, place, seen);
  }

  bool fields(Kind kind, std::uint64_t at, std::uint64_t end, const Place& place, Seen& seen) {
    Head f;
    for (; at < end; at = f.end) {
      if (!next(at, end, place.depth, f)) return false;
      if (!skeleton_.misfit && !wire::fits(kind, f.number, f.type)) skeleton_.misfit = f.begin;
      if (f.type == wire::varint && kind == Kind::tensor && f.number == 2) seen.type = f.value;
      if (kind == Kind::tensor && wire::is_payload(f.number) && place.cutting) {
        if (!payload(f, seen)) return false;
      } else if (f.type == wire::delimited) {
        if (!delimited(kind, f, place, seen)) return false;
      }
      if (seen.conflict && place.cutting) return true;
    }
    return true;
  }

  static void meet(Seen& seen, std::uint32_t number) {
    seen.conflict |= (seen.fields >> number & 1u) != 0;
    seen.fields |= 1u << number;
  }

  // A tensor loses its payload when it has exactly one.
  bool payload(const Head& f, Seen& seen) {
    constexpr std::uint32_t any = 9;
    const bool first = (seen.fields >> any & 1u) == 0;
    if (!first) {
      seen.conflict |= seen.payload_cut;
      return true;
    }
    seen.fields |= 1u << any;
    const std::uint64_t keep = may_hold_shapes(static_cast<DType>(seen.type)) ? keep_.integers : keep_.others;
    seen.payload_cut = f.type == wire::delimited && f.number != 6 && f.end - f.body > keep;
    return !seen.payload_cut || cut_out(f);
  }

  bool delimited(Kind kind, const Head& f, const Place& place, Seen& seen) {
    const std::uint64_t length = f.end - f.body;
    if (wire::is_name(kind, f.number)) {
      return length <= limits_.name_bytes || limit(&Limits::name_bytes, length, f.begin);
    }
    if (wire::is_text(kind, f.number)) {
      if (!place.cutting) return true;
      meet(seen, f.number);
      return seen.conflict || length <= keep_.texts || cut_out(f);
    }
    const Kind inner = wire::child(kind, f.number);
    if (inner == Kind::other) return true;
    if (place.cutting && wire::singular(kind, f.number)) {
      meet(seen, f.number);
      if (seen.conflict) return true;
    }
    Place within{.depth = place.depth + 1, .graphs = place.graphs, .cutting = false};
    if (within.depth > limits_.wire_depth) return limit(&Limits::wire_depth, within.depth, f.begin);
    if (!admit(kind, inner, f.begin, within)) return false;
    if (!place.cutting || length <= keep_.others) return message(inner, f.body, f.end, within);
    within.cutting = true;
    return enter(inner, f, within);
  }

  // Counts a message that a limit speaks of.
  bool admit(Kind kind, Kind inner, std::uint64_t at, Place& within) {
    switch (inner) {
      case Kind::node: return count(counted_.nodes, &Limits::nodes, at);
      case Kind::tensor: return count(counted_.tensors, &Limits::tensors, at);
      case Kind::function: return count(counted_.functions, &Limits::functions, at);
      case Kind::graph:
        if (kind != Kind::attribute) return true;
        return ++within.graphs <= limits_.subgraph_depth || limit(&Limits::subgraph_depth, within.graphs, at);
      default: return true;
    }
  }

  bool enter(Kind kind, const Head& f, const Place& within) {
    if (!keep_up_to(f.begin)) return false;
    wire::put_varint(skeleton_.bytes, std::uint64_t{f.number} << 3 | wire::delimited);
    const std::size_t place = skeleton_.bytes.size();
    skeleton_.bytes.append(length_bytes, '\0');
    kept_ = f.body;
    if (!message(kind, f.body, f.end, within) || !keep_up_to(f.end)) return false;
    std::uint64_t length = skeleton_.bytes.size() - place - length_bytes;
    for (std::size_t i = 0; i < length_bytes; ++i, length >>= 7)
      skeleton_.bytes[place + i] = static_cast<char>((length & 0x7f) | (i + 1 < length_bytes ? 0x80 : 0));
    return true;
  }

  struct Counted {
    std::uint64_t nodes = 0, tensors = 0, functions = 0;
  };
  const File& file_;
  Window window_;
  const Limits& limits_;
  const Keep& keep_;
  Skeleton skeleton_;
  std::uint64_t kept_ = 0;  // everything of the file before it is in the skeleton, or cut
  Counted counted_;
  std::optional<Error> error_;
};

}  // namespace

bool may_hold_shapes(DType type) {
  return type == DType::i32 || type == DType::i64 || type == DType::u64 || type == DType::u32;
}

Result<Skeleton> cut(const File& file, const Limits& limits, const Keep& keep) {
  return Cutter(file, limits, keep).run();
}

}  // namespace aegis
