// External data: weights that a model keeps in another file beside it. Opened only when bytes are asked for.
#pragma once

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// Opens the file that an external payload names and checks that the payload lies inside it. The location has to stay
// inside the model's folder: an absolute path, "..", and symbolic links are refused (IO905). Errors: IO906 when there
// is no such file, IO903 when it is too short.
Result<TensorSource::Span> open_external(const TensorSource::External& external);

// The model with its external weights in the model file itself, for a place where the other file is not; the model as
// it is when it has none.
Result<Model> embed_external(const Model& model);

}  // namespace aegis
