// One model in ONNX Runtime, on its CPU provider.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "validator/engines/ort/library.hpp"

namespace aegis::ort {

class OrtSession {
 public:
  // `bytes`: a serialised ModelProto. Errors (validation): the runtime refuses the model, with its message.
  static Result<std::unique_ptr<OrtSession>> make(std::shared_ptr<const Library> library, const std::string& bytes,
                                                  std::vector<std::string> outputs, int level, int threads);
  ~OrtSession();
  OrtSession(const OrtSession&) = delete;
  OrtSession& operator=(const OrtSession&) = delete;

  Result<RunResult> run(const Feeds& feeds) const;

 private:
  explicit OrtSession(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  Result<void> check(Status* status) const;
  Result<Tensor> read(Value* value) const;

  std::shared_ptr<const Library> library_;
  std::vector<std::string> outputs_;
  Env* env_ = nullptr;
  SessionOptions* options_ = nullptr;
  Session* session_ = nullptr;
  MemoryInfo* memory_ = nullptr;
};

}  // namespace aegis::ort
