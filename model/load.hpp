// Reading a model file: bounded pread windows walk the protobuf bytes, the heavy payloads stay in the file.
#pragma once

#include <string>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// Payloads larger than this stay in the file; smaller ones (shape constants, axes) are kept in the skeleton.
inline constexpr std::uint64_t inline_payload_bytes = 1024;

// Reads `path` (ONNX binary form; ".onnxtxt" is read as ONNX text). Errors carry an IO9xx code.
Result<Model> load(const std::string& path);
// The same from bytes in memory, for standard input and tests.
Result<Model> load_bytes(std::string bytes, std::string name);

// ONNX's textual syntax, by ONNX's own parser. A lone graph without header gets IR 10, opset 21.
Result<Model> parse_text(std::string_view text);
std::string print_text(const Model& model);

}  // namespace aegis
