// Reading a model file: bounded pread windows walk the protobuf bytes, the heavy payloads stay in the file.
#pragma once

#include <iosfwd>
#include <string>

#include "model/limits.hpp"
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// Payloads larger than this stay in the file; smaller ones (shape constants, axes) are kept in the skeleton.
inline constexpr std::uint64_t inline_payload_bytes = 1024;

struct LoadOptions {
  Limits limits;
  ExternalPolicy external_data = ExternalPolicy::hf;
  bool resolve_pointers = true;  // Git LFS and DVC pointers to objects that the local store has
};

// Reads `path` (ONNX binary form; ".onnxtxt" is read as ONNX text). Errors carry an IO9xx code.
Result<Model> load(const std::string& path, const LoadOptions& options = {});
// The same from a stream that can be read once, such as standard input; it goes through a temporary file without a
// name.
Result<Model> load_stream(std::istream& in, std::string name, const LoadOptions& options = {});
// The same from bytes in memory.
Result<Model> load_bytes(std::string bytes, std::string name, const LoadOptions& options = {});

// ONNX's textual syntax, by ONNX's own parser. A lone graph without header gets IR 10, opset 21.
Result<Model> parse_text(std::string_view text);
std::string print_text(const Model& model);

}  // namespace aegis
