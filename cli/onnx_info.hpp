// The few things that only ONNX's own headers tell; they cost seconds in every file that sees them.
#pragma once

#include <string>

#include "model/model.hpp"

namespace aegis {

// "pytorch 2.5.1", as the file says it; empty when it does not.
std::string producer_of(const Model& model);

}  // namespace aegis
