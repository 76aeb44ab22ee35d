// Whether passes may work on a model. What breaks the format in a way that no pass repairs leaves every pass out: a
// patch of a graph with a circle, a name that means two things or a tensor without its data could only be a guess.
#pragma once

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/infer.hpp"

namespace aegis {

// ST501 for a circle, ST502, ST503: the first defect of the model, with its place.
Result<void> check_sound(const Model& model, const TypeTable& types);
// ST515: the first node that its schema refuses; for the model that the passes made, since they may repair one. An
// operator without a schema refuses nothing: passes leave it alone, and runtimes have operators that ONNX lacks.
Result<void> check_nodes(const Model& model, const TypeTable& types);

}  // namespace aegis
