// Folders and names of model files.
#pragma once

#include <string>
#include <string_view>

namespace aegis {

// With its slash; empty for a name without a folder.
std::string folder_of(std::string_view path);
// The name without its folder and without ".onnx".
std::string stem_of(std::string_view path);
// True when both files lie, or would lie, in one folder, by whatever path it is reached.
bool same_folder(const std::string& a, const std::string& b);

}  // namespace aegis
