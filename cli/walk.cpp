#include "cli/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace aegis {
namespace {

namespace fs = std::filesystem;

Result<void> walk(const std::string& folder, std::vector<std::string>& found) {
  std::error_code problem;
  fs::recursive_directory_iterator at(folder, problem), end;
  for (; !problem && at != end; at.increment(problem)) {
    std::error_code ignored;
    if (at->path().extension() == ".onnx" && !at->is_directory(ignored)) found.push_back(at->path().string());
  }
  if (problem)
    return Error{.fault = Fault::file,
                 .message = fmt::format("the folder cannot be read ({}); name files in it instead", problem.message()),
                 .where = folder};
  return {};
}

}  // namespace

Result<std::vector<ModelFile>> model_files(const std::vector<std::string>& operands) {
  std::vector<ModelFile> files;
  std::set<std::string> seen;
  for (const std::string& operand : operands) {
    std::error_code ignored;
    if (operand != "-" && fs::is_directory(operand, ignored)) {
      std::vector<std::string> found;
      AEGIS_CHECK(walk(operand, found));
      std::sort(found.begin(), found.end());
      for (std::string& path : found)
        if (seen.insert(path).second) files.push_back({std::move(path), false});
    } else if (seen.insert(operand).second) {
      files.push_back({operand, true});
    }
  }
  return files;
}

}  // namespace aegis
