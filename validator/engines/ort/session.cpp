#include "validator/engines/ort/session.hpp"

#include <cstring>

namespace aegis::ort {

Result<void> OrtSession::check(Status* status) const {
  std::string message = library_->message(status);
  if (message.empty()) return {};
  return Error{.fault = Fault::validation,
               .code = {},
               .message = "onnx runtime: " + std::move(message),
               .where = {},
               .notes = {}};
}

Result<std::unique_ptr<OrtSession>> OrtSession::make(std::shared_ptr<const Library> library, const std::string& bytes,
                                                     std::vector<std::string> outputs, int level, int threads) {
  std::unique_ptr<OrtSession> made(new OrtSession(std::move(library)));
  OrtSession& s = *made;
  const Table api = s.library_->table();
  s.outputs_ = std::move(outputs);
  AEGIS_CHECK(s.check(CreateEnv::call(api, severity_fatal, "aegis", &s.env_)));
  AEGIS_CHECK(s.check(CreateSessionOptions::call(api, &s.options_)));
  AEGIS_CHECK(s.check(SetOptimizationLevel::call(api, s.options_, level)));
  AEGIS_CHECK(s.check(SetIntraOpThreads::call(api, s.options_, threads)));
  AEGIS_CHECK(s.check(CreateCpuMemoryInfo::call(api, arena_allocator, default_memory, &s.memory_)));
  AEGIS_CHECK(s.check(CreateSessionFromArray::call(api, s.env_, bytes.data(), bytes.size(), s.options_, &s.session_)));
  return made;
}

OrtSession::~OrtSession() {
  const Table api = library_->table();
  if (session_) ReleaseSession::call(api, session_);
  if (memory_) ReleaseMemoryInfo::call(api, memory_);
  if (options_) ReleaseSessionOptions::call(api, options_);
  if (env_) ReleaseEnv::call(api, env_);
}

Result<Tensor> OrtSession::read(Value* value) const {
  const Table api = library_->table();
  TensorInfo* info = nullptr;
  AEGIS_CHECK(check(GetTensorInfo::call(api, value, &info)));
  int type = 0;
  std::size_t rank = 0;
  std::vector<std::int64_t> dims;
  Result<void> asked = check(GetElementType::call(api, info, &type));
  if (asked) asked = check(GetRank::call(api, info, &rank));
  if (asked) {
    dims.resize(rank);
    asked = check(GetDims::call(api, info, dims.data(), rank));
  }
  ReleaseTensorInfo::call(api, info);
  if (!asked) return asked.error();
  const auto dtype = static_cast<DType>(type);
  if (bits(dtype) == 0)
    return Error{.fault = Fault::validation,
                 .code = {},
                 .message = "onnx runtime: an output holds no numbers",
                 .where = {},
                 .notes = {}};
  Tensor tensor = Tensor::zeros(dtype, std::move(dims));
  void* data = nullptr;
  AEGIS_CHECK(check(GetTensorData::call(api, value, &data)));
  if (!tensor.data->empty()) std::memcpy(tensor.data->data(), data, tensor.data->size());
  return tensor;
}

Result<RunResult> OrtSession::run(const Feeds& feeds) const {
  const Table api = library_->table();
  struct Values {
    Table api;
    std::vector<Value*> list;
    ~Values() {
      for (Value* value : list)
        if (value) ReleaseValue::call(api, value);
    }
  };
  Values inputs{api, {}}, outputs{api, std::vector<Value*>(outputs_.size(), nullptr)};
  std::vector<const char*> input_names, output_names;
  for (const auto& [name, tensor] : feeds) {
    Value* value = nullptr;
    AEGIS_CHECK(
        check(CreateTensorWithData::call(api, memory_, tensor.data->data(), tensor.data->size(), tensor.dims.data(),
                                         tensor.dims.size(), static_cast<int>(tensor.type), &value)));
    inputs.list.push_back(value);
    input_names.push_back(name.c_str());
  }
  for (const std::string& name : outputs_) output_names.push_back(name.c_str());
  AEGIS_CHECK(check(Run::call(api, session_, nullptr, input_names.data(), inputs.list.data(), inputs.list.size(),
                              output_names.data(), output_names.size(), outputs.list.data())));
  RunResult result{.names = outputs_, .outputs = {}};
  for (Value* value : outputs.list) {
    AEGIS_TRY(Tensor tensor, read(value));
    result.outputs.push_back(std::move(tensor));
  }
  return result;
}

}  // namespace aegis::ort
