#include "model/tensor_pb.hpp"

#include <onnx/onnx_pb.h>

#include "model/state.hpp"

namespace aegis {

Result<NamedTensor> tensor_from_pb(std::string_view bytes) {
  onnx::TensorProto proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !proto.has_data_type())
    return Error{.fault = Fault::file,
                 .code = "IO903",
                 .message = "is not a serialised TensorProto; write it with onnx.numpy_helper.from_array"};
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return Error{.fault = Fault::file,
                 .code = "IO905",
                 .message =
                     "keeps its elements in another file, expected them in the tensor; write it with "
                     "onnx.numpy_helper.from_array"};
  AEGIS_TRY(Tensor tensor, tensor_source(proto, {}).read());
  return NamedTensor{.name = proto.name(), .tensor = std::move(tensor)};
}

std::string tensor_to_pb(const Tensor& tensor, std::string_view name) {
  onnx::TensorProto proto;
  proto.set_name(std::string(name));
  proto.set_data_type(static_cast<int>(tensor.type));
  for (const std::int64_t d : tensor.dims) proto.add_dims(d);
  proto.set_raw_data(tensor.data->data(), tensor.data->size());
  return proto.SerializeAsString();
}

}  // namespace aegis
