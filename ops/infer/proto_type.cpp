#include "ops/infer/proto_type.hpp"

namespace aegis::inference {
namespace {

ValueType tensor(int elem_type, bool has_shape, const onnx::TensorShapeProto& shape, const SymbolOf& symbol) {
  ValueType out{.kind = ValueType::Kind::tensor, .dtype = static_cast<DType>(elem_type)};
  if (!has_shape) return out;
  out.dims.emplace();
  for (const auto& dim : shape.dim()) {
    if (dim.has_dim_value() && dim.dim_value() >= 0)
      out.dims->push_back(Dim::of(dim.dim_value()));
    else if (dim.has_dim_param() && !dim.dim_param().empty())
      out.dims->push_back(symbol(dim.dim_param()));
    else
      out.dims->push_back(Dim{});
  }
  return out;
}

}  // namespace

ValueType from_proto(const onnx::TypeProto& type, const SymbolOf& symbol) {
  using Kind = ValueType::Kind;
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType: {
      const auto& t = type.tensor_type();
      return tensor(t.elem_type(), t.has_shape(), t.shape(), symbol);
    }
    case onnx::TypeProto::kSequenceType: {
      ValueType inner = from_proto(type.sequence_type().elem_type(), symbol);
      return {.kind = Kind::sequence, .dtype = inner.dtype, .dims = std::move(inner.dims)};
    }
    case onnx::TypeProto::kOptionalType: {
      ValueType inner = from_proto(type.optional_type().elem_type(), symbol);
      return {.kind = Kind::optional, .dtype = inner.dtype, .dims = std::move(inner.dims)};
    }
    case onnx::TypeProto::kMapType: return {.kind = Kind::map};
    case onnx::TypeProto::kSparseTensorType:
      return {.kind = Kind::sparse, .dtype = static_cast<DType>(type.sparse_tensor_type().elem_type())};
    default: return {};
  }
}

onnx::TypeProto to_proto(const ValueType& type) {
  onnx::TypeProto out;
  onnx::TypeProto* place = &out;
  if (type.kind == ValueType::Kind::sequence) place = out.mutable_sequence_type()->mutable_elem_type();
  if (type.kind == ValueType::Kind::optional) place = out.mutable_optional_type()->mutable_elem_type();
  if (type.kind == ValueType::Kind::unknown || type.kind == ValueType::Kind::map) return out;
  auto* tensor = place->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int>(type.dtype));
  if (!type.dims) return out;
  tensor->mutable_shape();
  for (const Dim& d : *type.dims) {
    auto* dim = tensor->mutable_shape()->add_dim();
    if (d.known()) dim->set_dim_value(d.extent);
  }
  return out;
}

onnx::TensorProto to_proto(const Tensor& tensor) {
  onnx::TensorProto out;
  out.set_data_type(static_cast<int>(tensor.type));
  for (const std::int64_t d : tensor.dims) out.add_dims(d);
  out.set_raw_data(tensor.data->data(), tensor.data->size());
  return out;
}

bool has_payload(const onnx::TensorProto& t) {
  if (t.data_location() == onnx::TensorProto::EXTERNAL) return false;
  if (t.has_raw_data() || t.float_data_size() + t.int32_data_size() + t.int64_data_size() + t.double_data_size() +
                                  t.uint64_data_size() + t.string_data_size() >
                              0)
    return true;
  for (const std::int64_t d : t.dims())
    if (d == 0) return true;
  return false;
}

}  // namespace aegis::inference
