// Which files a verb works on: those that were named, and the models below the folders that were named.
#pragma once

#include <string>
#include <vector>

#include "model/result.hpp"

namespace aegis {

struct ModelFile {
  std::string path;   // "-" is standard input
  bool named = true;  // false: met in a folder
};

// Folders are walked for *.onnx in the order of their names; symbolic links to folders are not followed. A file that
// is named twice appears once. Errors (file): a folder that cannot be read.
Result<std::vector<ModelFile>> model_files(const std::vector<std::string>& operands);

}  // namespace aegis
