#include "cli/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace aegis {
namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  void named(const std::string& operand, bool on_command_line) {
    std::error_code ignored;
    if (operand == "-" || !fs::is_directory(operand, ignored)) return add({operand, on_command_line, {}});
    const std::size_t before = found_.files.size();
    folder(operand);
    if (found_.files.size() == before && met_ == 0) found_.empty.push_back(operand);
    met_ = 0;
  }

  ModelFiles take() { return std::move(found_); }

 private:
  void add(ModelFile file) {
    ++met_;
    if (seen_.insert(file.path == "-" ? "-" : fs::path(file.path).lexically_normal().string()).second)
      found_.files.push_back(std::move(file));
  }

  void folder(const std::string& path) {
    std::error_code problem;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(path, problem), end; !problem && at != end; at.increment(problem))
      entries.push_back(*at);
    if (problem)
      add({path, false,
           Error{.fault = Fault::file,
                 .code = "IO903",
                 .message = fmt::format("the folder cannot be read: {}; change its permissions, or leave it out",
                                        problem.message()),
                 .where = path}});
    std::sort(entries.begin(), entries.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
      return a.path().native() < b.path().native();
    });
    for (const fs::directory_entry& entry : entries) {
      std::error_code ignored;
      if (entry.is_directory(ignored)) {
        if (!entry.is_symlink(ignored) && entry.path().filename() != ".git") folder(entry.path().string());
      } else if (entry.path().extension() == ".onnx") {
        add({entry.path().string(), false, {}});
      }
    }
  }

  ModelFiles found_;
  std::set<std::string> seen_;
  std::size_t met_ = 0;  // in the operand that is being walked, files that were met before included
};

}  // namespace

ModelFiles model_files(const std::vector<std::string>& operands, const std::vector<std::string>& listed) {
  Walk walk;
  for (const std::string& operand : operands) walk.named(operand, true);
  for (const std::string& entry : listed) walk.named(entry, false);
  return walk.take();
}

std::vector<std::string> split_file_list(std::string_view text) {
  const char separator = text.find('\0') == std::string_view::npos ? '\n' : '\0';
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    std::string_view name = text.substr(0, end);
    if (separator == '\n' && name.ends_with('\r')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return names;
}

}  // namespace aegis
