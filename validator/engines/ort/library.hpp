// ONNX Runtime's shared library: found, opened and tried before anything is believed of it.
#pragma once

#include <memory>
#include <string>

#include "model/result.hpp"
#include "validator/engines/ort/abi.hpp"

namespace aegis::ort {

// The library's path: `asked`, else AEGIS_ORT_LIB, else that of the onnxruntime wheel beside the python3 on PATH.
// Errors (usage): none of these is a file.
Result<std::string> find_library(const std::string& asked);

class Library {
 public:
  // Opens the library for the life of the process. A small model is run through every function of the table first, in
  // a child process, since a wrong table would end the caller. Errors (usage): with the reason.
  static Result<std::shared_ptr<const Library>> open(const std::string& path);

  Table table() const { return table_; }
  const std::string& version() const { return version_; }
  const std::string& path() const { return path_; }
  // The message of a failed call, whose status is released; empty on success.
  std::string message(Status* status) const;

 private:
  Table table_ = nullptr;
  std::string version_, path_;
};

}  // namespace aegis::ort
