// A skeleton as bytes: the same proto gives the same bytes in every run.
#pragma once

#include <string>

namespace onnx {
class ModelProto;
}

namespace aegis {

std::string skeleton_bytes(const onnx::ModelProto& proto);

}  // namespace aegis
