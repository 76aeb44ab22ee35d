// Copying an unchanged model: its file byte for byte, and the data files it names, under their own names.
#pragma once

#include <string>

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/save.hpp"

namespace aegis {

Result<Saved> copy_model(const Model::State& state, const std::string& path, Overwrite overwrite);

}  // namespace aegis
