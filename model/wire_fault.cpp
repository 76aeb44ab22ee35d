#include "model/wire_fault.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <optional>

#include "model/onnx_wire.hpp"
#include "model/window.hpp"

namespace aegis {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Elements of a packed field that are looked at one by one; a longer run is taken as sound.
constexpr std::uint64_t packed_bytes = 1u << 20;

class Tracer {
 public:
  Tracer(const File& file, std::uint64_t depth, std::optional<std::uint64_t> target)
      : window_(file), size_(file.size()), deepest_(depth), target_(target) {}

  struct Fault {
    std::uint64_t at = 0;
    std::string what, path;
    bool deep = false;
  };
  std::optional<Fault> fault;
  std::string path_of_target = "the file";

  // False ends the walk: a fault was found, or the target.
  bool message(const Descriptor* type, std::uint64_t at, std::uint64_t end, std::uint64_t depth) {
    std::map<std::uint32_t, int> met;
    while (at < end) {
      const std::uint64_t begin = at;
      std::uint64_t tag = 0;
      if (!number(at, end, 5, tag, begin)) return false;
      const auto field_number = static_cast<std::uint32_t>(tag) >> 3;
      if (field_number == 0) return wrong(begin, "a field has the number 0");
      const FieldDescriptor* field = type ? type->FindFieldByNumber(static_cast<int>(field_number)) : nullptr;
      const std::size_t before = path_.size();
      step(field, field_number, met[field_number]++);
      if (!body(field, field_number, static_cast<std::uint8_t>(tag & 7), begin, at, end, depth)) return false;
      if (target_ && *target_ < at) return found();
      path_.resize(before);
    }
    return true;
  }

 private:
  void step(const FieldDescriptor* field, std::uint32_t number, int count) {
    if (!path_.empty()) path_ += '.';
    path_ += field != nullptr ? field->name() : fmt::format("field {}", number);
    if (field != nullptr && field->is_repeated()) path_ += fmt::format("[{}]", count);
  }
  bool wrong(std::uint64_t at, std::string what) {
    fault = Fault{.at = at, .what = std::move(what), .path = path_.empty() ? "the file" : path_};
    return false;
  }
  bool too_deep(std::uint64_t at) {
    wrong(at, "messages are nested too deep");
    fault->deep = true;
    return false;
  }
  bool found() {
    path_of_target = path_;
    return false;
  }

  bool number(std::uint64_t& at, std::uint64_t end, std::uint64_t longest, std::uint64_t& value, std::uint64_t begin) {
    value = 0;
    for (std::uint64_t i = 0; i < longest; ++i, ++at) {
      if (at >= end) return wrong(begin, "a number is cut off");
      if (!window_.holds(at, 1) && !window_.move_to(at)) return wrong(at, "the file cannot be read");
      const auto b = std::to_integer<std::uint64_t>(window_.from(at)[0]);
      if (i < 10) value |= (b & 0x7f) << (7 * i);
      if (b >= 0x80) continue;
      ++at;
      return true;
    }
    return wrong(begin, fmt::format("a number is longer than {} bytes", longest));
  }

  // Moves `at` past the contents of a field.
  bool body(const FieldDescriptor* field, std::uint32_t number_of, std::uint8_t type, std::uint64_t begin,
            std::uint64_t& at, std::uint64_t end, std::uint64_t depth) {
    std::uint64_t value = 0;
    switch (type) {
      case wire::varint: return number(at, end, 10, value, begin);
      case wire::fixed64: return skip(8, begin, at, end);
      case wire::fixed32: return skip(4, begin, at, end);
      case wire::group: return group(number_of, begin, at, end, depth + 1);
      case wire::delimited: break;
      case wire::group_end: return wrong(begin, "a group ends that did not begin");
      default: return wrong(begin, fmt::format("a field has the unknown wire type {}", type));
    }
    if (!number(at, end, 10, value, begin)) return false;
    const std::uint64_t from = at;
    if (!skip(value, begin, at, end)) return false;
    if (target_ && (*target_ < from || *target_ >= at)) return true;
    if (field == nullptr) return true;
    if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
      if (depth + 1 > deepest_) return too_deep(begin);
      return message(field->message_type(), from, at, depth + 1);
    }
    return !field->is_packable() || packed(*field, from, at);
  }
  bool skip(std::uint64_t length, std::uint64_t begin, std::uint64_t& at, std::uint64_t end) {
    if (length > end - at && end == size_)
      return wrong(begin, fmt::format("the file ends {} bytes too early for a field", length - (end - at)));
    if (length > end - at)
      return wrong(begin, fmt::format("a field of {} bytes is longer than what holds it, which ends {} bytes later",
                                      length, end - at));
    at += length;
    return true;
  }
  bool group(std::uint32_t number_of, std::uint64_t begin, std::uint64_t& at, std::uint64_t end, std::uint64_t depth) {
    if (depth > deepest_) return too_deep(begin);
    while (at < end) {
      const std::uint64_t inner = at;
      std::uint64_t tag = 0;
      if (!number(at, end, 5, tag, inner)) return false;
      const auto field = static_cast<std::uint32_t>(tag) >> 3;
      if (field == 0) return wrong(inner, "a field has the number 0");
      if ((tag & 7) == wire::group_end) return field == number_of || wrong(inner, "a group ends that did not begin");
      if (!body(nullptr, field, static_cast<std::uint8_t>(tag & 7), inner, at, end, depth)) return false;
    }
    return wrong(begin, "a group does not end");
  }
  bool packed(const FieldDescriptor& field, std::uint64_t at, std::uint64_t end) {
    if (end - at > packed_bytes) return true;
    const bool floats = field.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT;
    if (floats || field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)
      return (end - at) % (floats ? 4 : 8) == 0 || wrong(at, "the bytes are no whole number of elements");
    std::uint64_t value = 0;
    while (at < end)
      if (!number(at, end, 10, value, at)) return false;
    return true;
  }

  Window window_;
  std::uint64_t size_, deepest_;
  std::optional<std::uint64_t> target_;
  std::string path_;
};

Error malformed(const File& file, std::string_view what, std::uint64_t at, std::string_view path) {
  return Error{.fault = Fault::file,
               .code = "IO903",
               .message = fmt::format("is not a valid ONNX file: {} at byte {} of {}, in {}; fetch or export it again",
                                      what, at, file.size(), path),
               .where = file.name()};
}

// A path that fits on a few lines, however deep it leads.
std::string shortened(std::string path) {
  constexpr std::size_t half = 80;
  if (path.size() <= 2 * half + 5) return path;
  return path.substr(0, half) + " ... " + path.substr(path.size() - half);
}

}  // namespace

Error wire_fault(const File& file, const Limits& limits) {
  Tracer tracer(file, limits.wire_depth, std::nullopt);
  tracer.message(onnx::ModelProto::descriptor(), 0, file.size(), 0);
  const Tracer::Fault fault = tracer.fault.value_or(
      Tracer::Fault{.at = 0, .what = "its messages do not parse", .path = "the file", .deep = false});
  if (fault.deep) {
    Error error = limit_reached(limits, &Limits::wire_depth, limits.wire_depth + 1, file.name());
    error.notes.push_back(fmt::format("at byte {}", fault.at));
    return error;
  }
  return malformed(file, fault.what, fault.at, shortened(fault.path));
}

Error wrong_type(const File& file, std::uint64_t offset) {
  return malformed(file, "a field has the wrong type", offset, wire_path(file, offset));
}

std::string wire_path(const File& file, std::uint64_t offset) {
  constexpr std::uint64_t traced_depth = 1000;  // the trace recurses: what lies deeper is told by the path down to it
  Tracer tracer(file, traced_depth, offset);
  tracer.message(onnx::ModelProto::descriptor(), 0, file.size(), 0);
  return shortened(std::move(tracer.path_of_target));
}

}  // namespace aegis
