#include "model/left_over.hpp"

#include <dirent.h>

#include <algorithm>
#include <memory>

#include "model/data_file.hpp"
#include "model/paths.hpp"
#include "model/staged_file.hpp"

namespace aegis {

std::vector<std::string> left_over(const std::string& path) {
  const std::string folder = folder_of(path), stem = stem_of(path);
  std::vector<std::string> found;
  // A directory_iterator of the standard library ends the program when memory ends.
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> entries(::opendir(folder.empty() ? "." : folder.c_str()));
  if (!entries) return found;  // a folder that cannot be listed has nothing to tell
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (is_data_file_name(name, stem) || StagedFile::is_temporary(name)) found.push_back(name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace aegis
