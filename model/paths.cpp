#include "model/paths.hpp"

#include <sys/stat.h>

namespace aegis {

std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

std::string stem_of(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".onnx") && name.size() > 5) name.remove_suffix(5);
  return std::string(name);
}

bool same_folder(const std::string& a, const std::string& b) {
  struct stat one{}, other{};
  const std::string first = folder_of(a), second = folder_of(b);
  return ::stat(first.empty() ? "." : first.c_str(), &one) == 0 &&
         ::stat(second.empty() ? "." : second.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

}  // namespace aegis
