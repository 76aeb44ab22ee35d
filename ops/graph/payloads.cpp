#include "ops/graph/payloads.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace aegis {
namespace {

using onnx::TensorProto;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A data field of a tensor: its number, and how many entries it has (bytes of raw_data).
struct Filled {
  std::uint32_t field = 0;
  double entries = 0;
};

std::vector<Filled> filled_fields(const TensorProto& t) {
  const Filled all[] = {{TensorProto::kRawDataFieldNumber, static_cast<double>(t.raw_data().size())},
                        {TensorProto::kFloatDataFieldNumber, static_cast<double>(t.float_data_size())},
                        {TensorProto::kInt32DataFieldNumber, static_cast<double>(t.int32_data_size())},
                        {TensorProto::kStringDataFieldNumber, static_cast<double>(t.string_data_size())},
                        {TensorProto::kInt64DataFieldNumber, static_cast<double>(t.int64_data_size())},
                        {TensorProto::kDoubleDataFieldNumber, static_cast<double>(t.double_data_size())},
                        {TensorProto::kUint64DataFieldNumber, static_cast<double>(t.uint64_data_size())}};
  std::vector<Filled> out;
  std::ranges::copy_if(all, std::back_inserter(out), [](const Filled& f) { return f.entries > 0; });
  return out;
}

std::uint32_t number_of(TensorSource::Field field) {
  switch (field) {
    case TensorSource::Field::raw: return TensorProto::kRawDataFieldNumber;
    case TensorSource::Field::float_data: return TensorProto::kFloatDataFieldNumber;
    case TensorSource::Field::int32_data: return TensorProto::kInt32DataFieldNumber;
    case TensorSource::Field::string_data: return TensorProto::kStringDataFieldNumber;
    case TensorSource::Field::int64_data: return TensorProto::kInt64DataFieldNumber;
    case TensorSource::Field::double_data: return TensorProto::kDoubleDataFieldNumber;
    case TensorSource::Field::uint64_data: break;
  }
  return TensorProto::kUint64DataFieldNumber;
}

// The typed field that onnx.proto names for the type.
std::uint32_t typed_field(DType type) {
  switch (type) {
    case DType::f32:
    case DType::c64: return TensorProto::kFloatDataFieldNumber;
    case DType::f64:
    case DType::c128: return TensorProto::kDoubleDataFieldNumber;
    case DType::i64: return TensorProto::kInt64DataFieldNumber;
    case DType::u32:
    case DType::u64: return TensorProto::kUint64DataFieldNumber;
    case DType::string: return TensorProto::kStringDataFieldNumber;
    default: return TensorProto::kInt32DataFieldNumber;
  }
}

// What one entry of a typed field stands for in raw bytes; complex numbers take two entries, two 4-bit ones share one.
double entry_bytes(std::uint32_t field, DType type) {
  switch (field) {
    case TensorProto::kFloatDataFieldNumber: return 4;
    case TensorProto::kDoubleDataFieldNumber: return 8;
    case TensorProto::kInt64DataFieldNumber: return 8;
    case TensorProto::kInt32DataFieldNumber:
    case TensorProto::kUint64DataFieldNumber: return std::max(1, bits(type) / 8);
    default: return 1;
  }
}

// Fields of varints tell their number of entries only when they are read: one takes 1 to 10 bytes.
double cut_bytes(std::uint32_t field, DType type, double stored, double declared) {
  switch (field) {
    case TensorProto::kInt32DataFieldNumber:
    case TensorProto::kInt64DataFieldNumber:
    case TensorProto::kUint64DataFieldNumber: {
      const double entry = entry_bytes(field, type), least = std::ceil(stored / 10) * entry, most = stored * entry;
      return declared < least ? least : declared > most ? most : unknown;
    }
    case TensorProto::kStringDataFieldNumber: return unknown;
    default: return stored;
  }
}

std::optional<double> stated_length(const TensorProto& t) {
  for (const auto& entry : t.external_data()) {
    if (entry.key() != "length") continue;
    std::uint64_t value = 0;
    const auto [end, problem] =
        std::from_chars(entry.value().data(), entry.value().data() + entry.value().size(), value);
    if (problem == std::errc() && end == entry.value().data() + entry.value().size()) return static_cast<double>(value);
  }
  return std::nullopt;
}

Payload payload_of(const TensorProto& t, const TensorSource* source) {
  const auto type = static_cast<DType>(t.data_type());
  const bool text = type == DType::string;
  Payload out{.type = type};
  double elements = bits(type) == 0 && !text ? unknown : 1;
  for (const std::int64_t extent : t.dims()) elements *= extent < 0 ? unknown : static_cast<double>(extent);
  out.declared_bytes = text ? elements : std::ceil(elements * bits(type) / 8);

  auto filled = filled_fields(t);
  if (t.data_location() == TensorProto::EXTERNAL) {
    out.extra_fields = static_cast<std::uint32_t>(filled.size());
    out.actual_bytes = stated_length(t).value_or(unknown);
    return out;
  }
  const auto* span = source != nullptr ? std::get_if<TensorSource::Span>(&source->from) : nullptr;
  if (span != nullptr) {
    out.field = number_of(source->field);
    out.extra_fields = static_cast<std::uint32_t>(filled.size());
    out.actual_bytes = cut_bytes(out.field, type, static_cast<double>(span->length), out.declared_bytes);
  } else if (filled.empty() && source != nullptr && source->stored_size() > 0) {  // made by an edit, not of a file
    out.field = number_of(source->field);
    out.actual_bytes = cut_bytes(out.field, type, static_cast<double>(source->stored_size()), out.declared_bytes);
  } else if (!filled.empty()) {
    out.field = filled.front().field;
    out.extra_fields = static_cast<std::uint32_t>(filled.size()) - 1;
    out.actual_bytes = filled.front().entries * entry_bytes(out.field, type);
  }
  return out;
}

}  // namespace

Payloads::Payloads(const Model& model) : index_(model.values().size(), -1) {
  const auto add = [&](ValueId id, const TensorProto& tensor) {
    index_[index(id)] = static_cast<std::int32_t>(rows_.size());
    const TensorSource* source = model.initializer(id);
    rows_.push_back(payload_of(tensor, source != nullptr ? source : model.constant(id)));
  };
  for (const Scope& scope : model.scopes()) {
    if (scope.graph == nullptr) continue;
    std::size_t i = 0;
    for (const TensorProto& tensor : scope.graph->initializer()) {
      if (i == scope.initializers.size()) break;
      const ValueId id = scope.initializers[i++];
      if (index_[index(id)] < 0) add(id, tensor);  // of two with one name, the first
    }
  }
  for (const Node& node : model.nodes()) {
    if (!node.alive || node.op != "Constant" || !node.domain.empty()) continue;
    if (node.outputs.empty() || node.outputs[0] == ValueId::none) continue;
    for (const auto& a : node.proto->attribute())
      if (a.name() == "value" && a.has_t() && index_[index(node.outputs[0])] < 0) add(node.outputs[0], a.t());
  }
}

bool sound(const Payload& payload) {
  if (std::isnan(payload.declared_bytes) || payload.extra_fields != 0) return false;
  const bool raw = payload.field == TensorProto::kRawDataFieldNumber && payload.type != DType::string;
  if (payload.field != 0 && !raw && payload.field != typed_field(payload.type)) return false;
  return std::isnan(payload.actual_bytes) || payload.actual_bytes == payload.declared_bytes;
}

}  // namespace aegis
