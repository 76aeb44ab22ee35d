// Which files a verb works on: those that were named, and the models below the folders that were named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/result.hpp"

namespace aegis {

struct ModelFile {
  std::string path;            // "-" is standard input
  bool named = true;           // on the command line; false: met in a folder or in a list
  std::optional<Error> error;  // of a folder that cannot be read, in its place
};

struct ModelFiles {
  std::vector<ModelFile> files;
  std::vector<std::string> empty;  // folders that were named and hold no model
};

// Folders are walked for *.onnx in the order of their names; symbolic links to folders and folders called .git are not
// entered. A file that is named twice appears once. A folder that cannot be read stands in the list with an error
// (IO903), and the others go on.
ModelFiles model_files(const std::vector<std::string>& operands, const std::vector<std::string>& listed);

// The names in a list: NUL-separated when it holds one, else one a line; empty ones are left out.
std::vector<std::string> split_file_list(std::string_view text);

}  // namespace aegis
