// aegis.toml: read, checked key by key, each value with the line it stands on. Unknown keys are errors that name the
// nearest known one, so that a misspelt gate is never a gate that is off.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linter/lint.hpp"
#include "model/result.hpp"

namespace aegis {

// Values of rows of the option table, by their key.
struct ConfigValue {
  std::vector<std::string> values;
  std::string origin;  // "aegis.toml:3"
};

// What a file, or one of its [[overrides]], sets.
struct ConfigSection {
  std::map<std::string, ConfigValue, std::less<>> options;                 // by key: "padding.gate"
  std::map<std::string, std::int64_t> symbols;                             // [shapes] batch = 8
  std::map<std::string, std::vector<std::int64_t>> shapes;                 // [shapes] images = [8, 3, 640, 640]
  std::map<std::string, std::pair<double, double>> ranges;                 // [inputs] images = [0.0, 1.0]
  std::map<std::string, Severity> severities;                              // [rules] AL101 = "error"
  std::map<std::string, std::map<std::string, OptionValue>> rule_options;  // [rules] MB201.min_time_share = 0.05
  std::map<std::string, double> budgets;                                   // [budgets]

  // Lays `over` on top: its values win, key by key.
  void lay(const ConfigSection& over);
};

struct ConfigOverride {
  std::vector<std::string> files;  // globs, relative to `folder`
  std::string folder;              // of the file that holds them
  ConfigSection section;
};

using Rules = std::shared_ptr<const RuleBook>;

struct Config {
  Rules book;                      // what [rules] may name: the program's rules and those of --plugin
  std::vector<std::string> files;  // read, the farthest ancestor first
  ConfigSection base;
  std::vector<ConfigOverride> overrides;  // in the order they apply
  std::vector<Suppression> suppressions;
  // [limits], by name: what files of the project lower, and what the user's own configuration sets.
  std::map<std::string, std::uint64_t> limits, user_limits;

  // The base with every override that matches the model's path.
  ConfigSection for_model(std::string_view path) const;
};

// Reads a file and those it extends. Errors (usage): unreadable, not TOML, unknown key or rule, a value of the wrong
// kind; `where` is file:line.
Result<Config> read_config(const std::string& path, Rules book);
// The same from text, for tests; `name` stands for the file in messages and `folder` is what globs are relative to.
Result<Config> parse_config(std::string_view text, const std::string& name, const std::string& folder, Rules book);

// The user's own configuration, which holds [limits] and nothing else; a file that is not there holds none.
Result<std::map<std::string, std::uint64_t>> read_user_limits(const std::string& path, const RuleBook& book);

// The nearest aegis.toml at or above `folder`: empty when none. The search ends at a git root, at a folder that
// belongs to somebody else, and at $HOME.
std::string find_config(const std::string& folder, const char* home);

// Does a path match a glob? "*" and "?" stay within one folder, "**" crosses folders; a glob without "/" matches the
// file's name in any folder.
bool path_matches(std::string_view glob, std::string_view path);

}  // namespace aegis
