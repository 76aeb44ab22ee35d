// Writing a model: an unchanged one is copied byte for byte; an edited one is serialised deterministically with its
// payloads spliced in. The file appears whole or not at all.
#pragma once

#include <string>

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

enum class Overwrite : bool { no, yes };

Result<void> save(const Model& model, const std::string& path, Overwrite overwrite);
// The bytes that save would write.
Result<std::string> serialise(const Model& model);
// The whole ModelProto with every payload back in it, for libraries that want complete tensors.
Result<void> complete_proto(const Model& model, onnx::ModelProto& out);
// The skeleton with each cut tensor declared as a graph input, so that ONNX's checker and inference accept it.
void checkable_proto(const Model& model, onnx::ModelProto& out);

}  // namespace aegis
