#include "model/onnx_wire.hpp"

#include <onnx/onnx_pb.h>

#include <array>
#include <initializer_list>

namespace aegis::wire {
namespace {

// A set of field numbers below 32; the fields of ONNX that matter here all are.
class Fields {
 public:
  constexpr Fields(std::initializer_list<std::uint32_t> numbers) {
    for (const std::uint32_t n : numbers) bits_ |= 1u << n;
  }
  constexpr bool has(std::uint32_t n) const { return n < 32 && (bits_ >> n & 1u) != 0; }

 private:
  std::uint32_t bits_ = 0;
};

struct Child {
  std::uint32_t field;
  Kind kind;
  bool singular = false;
};

// Field numbers of onnx-ml.proto, in the order of Kind.
struct Row {
  std::array<Child, 8> children;
  Fields texts, names;
};
constexpr std::array<Row, 11> rows = {{
    {{}, {}, {}},
    {{{{7, Kind::graph, true}, {25, Kind::function}, {20, Kind::training}, {14, Kind::entry}}}, {6}, {2, 3, 4}},
    {{{{1, Kind::node},
       {5, Kind::tensor},
       {11, Kind::value},
       {12, Kind::value},
       {13, Kind::value},
       {15, Kind::sparse},
       {16, Kind::entry}}},
     {10},
     {2}},
    {{{{5, Kind::attribute}, {9, Kind::entry}}}, {6}, {1, 2, 3, 4, 7, 8}},
    {{{{5, Kind::tensor, true},
       {6, Kind::graph, true},
       {10, Kind::tensor},
       {11, Kind::graph},
       {22, Kind::sparse, true},
       {23, Kind::sparse}}},
     {4, 13},
     {1, 21}},
    {{{{7, Kind::node}, {11, Kind::attribute}, {12, Kind::value}, {14, Kind::entry}}}, {8}, {1, 4, 5, 6, 10, 13}},
    {{{{16, Kind::entry}}}, {12}, {8}},
    {{{{1, Kind::tensor, true}, {2, Kind::tensor, true}}}, {}, {}},
    {{{{1, Kind::graph, true}, {2, Kind::graph, true}, {3, Kind::entry}, {4, Kind::entry}}}, {}, {}},
    {{{{4, Kind::entry}}}, {3}, {1}},
    {{}, {2}, {1}},
}};

const Row& row(Kind kind) { return rows[static_cast<std::size_t>(kind)]; }

const Child* find(Kind parent, std::uint32_t field) {
  for (const Child& c : row(parent).children)
    if (c.field == field) return &c;
  return nullptr;
}

const google::protobuf::Descriptor* descriptor(Kind kind) {
  switch (kind) {
    case Kind::model: return onnx::ModelProto::descriptor();
    case Kind::graph: return onnx::GraphProto::descriptor();
    case Kind::node: return onnx::NodeProto::descriptor();
    case Kind::attribute: return onnx::AttributeProto::descriptor();
    case Kind::function: return onnx::FunctionProto::descriptor();
    case Kind::tensor: return onnx::TensorProto::descriptor();
    case Kind::sparse: return onnx::SparseTensorProto::descriptor();
    case Kind::training: return onnx::TrainingInfoProto::descriptor();
    case Kind::value: return onnx::ValueInfoProto::descriptor();
    case Kind::entry: return onnx::StringStringEntryProto::descriptor();
    case Kind::other: break;
  }
  return nullptr;
}

Type type_of(const google::protobuf::FieldDescriptor& field) {
  using google::protobuf::FieldDescriptor;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_FLOAT: return fixed32;
    case FieldDescriptor::CPPTYPE_DOUBLE: return fixed64;
    case FieldDescriptor::CPPTYPE_STRING:
    case FieldDescriptor::CPPTYPE_MESSAGE: return delimited;
    default: return varint;
  }
}

// For each kind and field number the types that it may have, as bits; 0 for a number that ONNX does not know.
using Types = std::array<std::array<std::uint8_t, 32>, rows.size()>;

Types known_types() {
  Types types{};
  for (std::size_t kind = 1; kind < rows.size(); ++kind) {
    const auto* message = descriptor(static_cast<Kind>(kind));
    for (int i = 0; i < message->field_count(); ++i) {
      const auto& field = *message->field(i);
      auto& bits = types[kind][static_cast<std::size_t>(field.number()) % 32];
      bits = static_cast<std::uint8_t>(1u << type_of(field));
      if (field.is_packable()) bits |= 1u << delimited;
    }
  }
  return types;
}

constexpr Fields payloads = {4, 5, 6, 7, 9, 10, 11};

}  // namespace

Kind child(Kind parent, std::uint32_t field) {
  const Child* c = find(parent, field);
  return c != nullptr ? c->kind : Kind::other;
}

bool singular(Kind parent, std::uint32_t field) {
  const Child* c = find(parent, field);
  return c != nullptr && c->singular;
}

bool is_text(Kind kind, std::uint32_t field) { return row(kind).texts.has(field); }
bool is_payload(std::uint32_t field) { return payloads.has(field); }
bool is_name(Kind kind, std::uint32_t field) { return row(kind).names.has(field); }

bool fits(Kind kind, std::uint32_t field, std::uint8_t type) {
  static const Types types = known_types();
  if (field >= 32) return true;
  const std::uint8_t known = types[static_cast<std::size_t>(kind)][field];
  return known == 0 || (known >> type & 1u) != 0;
}

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void put_delimited(std::string& out, std::uint32_t field, std::uint64_t length) {
  put_varint(out, field << 3 | delimited);
  put_varint(out, length);
}

}  // namespace aegis::wire
