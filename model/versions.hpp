// Versions of ONNX that are newer than the schemas that Aegis was built with.
#pragma once

#include "model/model.hpp"

namespace aegis {

// Adds IO909 to the findings of a loaded state for an IR version or an opset that ONNX's library does not know yet. The
// rest of the file is still judged, by the newest schemas there are.
void look_at_versions(Model::State& state);

}  // namespace aegis
