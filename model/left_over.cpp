#include "model/left_over.hpp"

#include <algorithm>
#include <filesystem>

#include "model/data_file.hpp"
#include "model/paths.hpp"
#include "model/staged_file.hpp"

namespace aegis {

std::vector<std::string> left_over(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string folder = folder_of(path), stem = stem_of(path);
  std::vector<std::string> found;
  std::error_code problem;  // a folder that cannot be listed has nothing to tell
  for (fs::directory_iterator it(folder.empty() ? "." : folder, problem), end; !problem && it != end;
       it.increment(problem)) {
    const std::string name = it->path().filename().string();
    if (is_data_file_name(name, stem) || StagedFile::is_temporary(name)) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace aegis
