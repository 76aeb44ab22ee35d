// Which configuration counts: the nearest aegis.toml, and the overrides in it that match a model's path.
#include <sys/stat.h>

#include <filesystem>

#include "cli/config.hpp"

namespace aegis {
namespace {

template <class Map>
void lay_map(Map& onto, const Map& over) {
  for (const auto& [key, value] : over) onto[key] = value;
}

bool segment_matches(std::string_view glob, std::string_view text) {
  if (glob.starts_with("**/") && (segment_matches(glob.substr(3), text))) return true;
  if (glob.starts_with("**")) {
    for (std::size_t i = 0; i <= text.size(); ++i)
      if (segment_matches(glob.substr(2), text.substr(i))) return true;
    return false;
  }
  if (glob.starts_with("*")) {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (segment_matches(glob.substr(1), text.substr(i))) return true;
      if (i < text.size() && text[i] == '/') return false;
    }
    return false;
  }
  if (glob.empty() || text.empty()) return glob.empty() && text.empty();
  if (glob[0] != text[0] && !(glob[0] == '?' && text[0] != '/')) return false;
  return segment_matches(glob.substr(1), text.substr(1));
}

// The path as the folder's globs see it.
std::string relative_to(const std::string& folder, std::string_view path) {
  std::error_code problem;
  const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::path(path), problem);
  if (problem) return std::string(path);
  const std::filesystem::path base = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, problem);
  if (problem) return std::string(path);
  const std::string relative = full.lexically_relative(base).generic_string();
  return relative.empty() || relative.starts_with("..") ? full.generic_string() : relative;
}

}  // namespace

void ConfigSection::lay(const ConfigSection& over) {
  lay_map(options, over.options);
  lay_map(symbols, over.symbols);
  lay_map(shapes, over.shapes);
  lay_map(ranges, over.ranges);
  lay_map(severities, over.severities);
  for (const auto& [code, values] : over.rule_options) lay_map(rule_options[code], values);
  lay_map(budgets, over.budgets);
}

ConfigSection Config::for_model(std::string_view path) const {
  ConfigSection section = base;
  for (const ConfigOverride& entry : overrides) {
    const std::string relative = relative_to(entry.folder, path);
    for (const std::string& glob : entry.files)
      if (path_matches(glob, relative)) {
        section.lay(entry.section);
        break;
      }
  }
  return section;
}

bool path_matches(std::string_view glob, std::string_view path) {
  if (glob.find('/') == std::string_view::npos) path = path.substr(path.rfind('/') + 1);
  return segment_matches(glob, path);
}

std::string find_config(const std::string& folder, const char* home) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::path at = fs::absolute(folder, problem).lexically_normal();
  if (problem) return "";
  if (!at.has_filename()) at = at.parent_path();
  struct stat start{};
  if (stat(at.c_str(), &start) != 0) return "";
  for (fs::path up = ""; true; up /= "..") {
    struct stat here{};
    if (stat(at.c_str(), &here) != 0 || here.st_uid != start.st_uid) return "";
    if (fs::is_regular_file(at / "aegis.toml", problem))
      return (fs::path(folder) / up / "aegis.toml").lexically_normal().generic_string();
    if (fs::exists(at / ".git", problem) || (home && at == fs::path(home)) || at == at.parent_path()) return "";
    at = at.parent_path();
  }
}

}  // namespace aegis
