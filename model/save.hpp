// Writing a model: an unchanged one is copied byte for byte; an edited one is serialised deterministically with its
// payloads spliced in. The file appears whole or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// Protobuf refuses messages of 2 GiB and more.
inline constexpr std::uint64_t max_inline_bytes = (1ull << 31) - 1;

enum class Overwrite : bool { no, yes };

Result<void> save(const Model& model, const std::string& path, Overwrite overwrite);
// Any file, in the same way: whole or not at all.
Result<void> save_bytes(std::string_view bytes, const std::string& path, Overwrite overwrite);
// The bytes that save would write.
Result<std::string> serialise(const Model& model);
// The whole ModelProto with every payload back in it, for libraries that want complete tensors.
Result<void> complete_proto(const Model& model, onnx::ModelProto& out);
// The skeleton with each cut tensor declared as a graph input, so that ONNX's checker and inference accept it.
void checkable_proto(const Model& model, onnx::ModelProto& out);

}  // namespace aegis
