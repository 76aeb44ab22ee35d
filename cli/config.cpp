#include "cli/config.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/limits.hpp"
#include "cli/option.hpp"
#include "linter/match.hpp"
#include "linter/rule_book.hpp"

// toml++ is seen by this file alone. Reading goes table by table: a key is looked up among the names that its table
// may hold, and whatever is not among them is an error with the nearest name. Where a key stands ("aegis.toml:7")
// travels with its value, so that later messages can name it.

namespace aegis {
namespace {

constexpr std::size_t max_bytes = 1u << 20;
constexpr int max_extends = 16;

Error at(const std::string& where, std::string message) {
  return Error{.fault = Fault::usage, .code = "", .message = std::move(message), .where = where, .notes = {}};
}

std::string_view kind_of(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (node.is_string()) return "a text";
  if (node.is_integer() || node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  return "a date or time";
}

std::string as_text(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, toml::value<std::string>>) {
      text << value.get();
    } else if constexpr (std::is_same_v<T, toml::value<bool>>) {
      text << (value.get() ? "true" : "false");
    } else if constexpr (std::is_same_v<T, toml::value<double>>) {
      text << fmt::format("{}", value.get());
    } else if constexpr (!toml::is_table<const T> && !toml::is_array<const T>) {
      text << value.get();
    }
  });
  return text.str();
}

// A day of the calendar as "2027-06-01": what compares as text with today's.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int parts[3] = {};
  constexpr std::size_t from[] = {0, 5, 8}, length[] = {4, 2, 2};
  for (int i = 0; i < 3; ++i) {
    const char* begin = text.data() + from[i];
    const auto [end, problem] = std::from_chars(begin, begin + length[i], parts[i]);
    if (problem != std::errc{} || end != begin + length[i]) return false;
  }
  return std::chrono::year_month_day(std::chrono::year(parts[0]), std::chrono::month(static_cast<unsigned>(parts[1])),
                                     std::chrono::day(static_cast<unsigned>(parts[2])))
      .ok();
}

std::vector<std::string> budget_names(const RuleBook& book) {
  std::vector<std::string> names = {"misaligned_flops_percent", "cast_count", "memory_bound_time_percent"};
  for (const Rule* rule : book.rules())
    for (const RuleOption& option : rule->options)
      if (!option.budget.empty()) names.push_back(option.budget);
  return names;
}

class Reader {
 public:
  Reader(std::string name, const RuleBook& book) : name_(std::move(name)), book_(book) {}

  Result<void> file(const toml::table& root, Config& config, const std::string& folder) const {
    AEGIS_CHECK(section(root, config.base, {"extends", "overrides", "suppress", "limits"}));
    if (const toml::node* node = root.get("limits")) AEGIS_CHECK(limits(*node, Raise::no, config.limits));
    if (const toml::node* node = root.get("overrides")) AEGIS_CHECK(overrides(*node, config, folder));
    if (const toml::node* node = root.get("suppress")) AEGIS_CHECK(suppressions(*node, config));
    return {};
  }

  Result<void> user_file(const toml::table& root, std::map<std::string, std::uint64_t>& out) const {
    for (const auto& [key, value] : root) {
      if (key.str() != "limits") return unknown(key, "", {"limits"});
      AEGIS_CHECK(limits(value, Raise::yes, out));
    }
    return {};
  }

  std::string where(const toml::node& node) const { return fmt::format("{}:{}", name_, node.source().begin.line); }
  std::string where(const toml::key& key) const { return fmt::format("{}:{}", name_, key.source().begin.line); }

 private:
  enum class Raise : bool { no, yes };

  Error wrong_kind(const toml::key& key, const toml::node& node, std::string_view expected) const {
    return at(where(key), fmt::format("`{}` is {}, expected {}", key.str(), kind_of(node), expected));
  }

  Error unknown(const toml::key& key, std::string_view table, const std::vector<std::string>& known) const {
    const std::string place = table.empty() ? "" : fmt::format(" of [{}]", table);
    std::string message = fmt::format("`{}` is no key{}{}", key.str(), place, did_you_mean(key.str(), known));
    if (nearest(key.str(), known).empty()) {
      message += "; known are ";
      for (std::size_t i = 0; i < known.size(); ++i) message += (i ? ", " : "") + known[i];
    }
    return at(where(key), std::move(message));
  }

  // Keys of the option table below `prefix` ("padding."), without it; nested ones only by their first part.
  static std::vector<std::string> option_keys(std::string_view prefix) {
    std::vector<std::string> names;
    for (const Option& option : option_table())
      if (!option.key.empty() && option.key.starts_with(prefix)) {
        const std::string_view rest = option.key.substr(prefix.size());
        if (rest.find('.') == std::string_view::npos) names.emplace_back(rest);
      }
    return names;
  }

  Result<void> option(const Option& row, const toml::key& key, const toml::node& node, ConfigSection& out) const {
    ConfigValue value{.values = {}, .origin = where(key)};
    const bool many = row.kind == OptionKind::list || row.kind == OptionKind::repeated;
    if (const toml::array* array = node.as_array()) {
      if (!many) return wrong_kind(key, node, "one value");
      for (const toml::node& part : *array) {
        if (!part.is_string()) return wrong_kind(key, part, "a list of texts");
        value.values.push_back(as_text(part));
      }
    } else if (node.is_table()) {
      return wrong_kind(key, node, many ? "a text or a list of texts" : "one value");
    } else {
      if (row.kind == OptionKind::flag && !node.is_boolean()) return wrong_kind(key, node, "true or false");
      if ((row.kind == OptionKind::integer || row.kind == OptionKind::real) && !node.is_number())
        return wrong_kind(key, node, "a number");
      if ((many || row.kind == OptionKind::text || row.kind == OptionKind::choice) && !node.is_string())
        return wrong_kind(key, node, many ? "a text or a list of texts" : "a text");
      value.values.push_back(as_text(node));
    }
    for (const std::string& text : value.values)
      if (auto checked = check_option_value(row, text); !checked) return at(value.origin, checked.error().message);
    out.options[std::string(row.key)] = std::move(value);
    return {};
  }

  // One table of options: [padding], [precision].
  Result<void> option_section(const toml::key& name, const toml::node& node, ConfigSection& out) const {
    const toml::table* table = node.as_table();
    if (!table) return wrong_kind(name, node, "a table");
    const std::string prefix = fmt::format("{}.", name.str());
    for (const auto& [key, value] : *table) {
      const Option* row = find_option_by_key(prefix + std::string(key.str()));
      if (!row) return unknown(key, name.str(), option_keys(prefix));
      AEGIS_CHECK(option(*row, key, value, out));
    }
    return {};
  }

  Result<void> shapes(const toml::key& name, const toml::node& node, ConfigSection& out) const {
    const toml::table* table = node.as_table();
    if (!table) return wrong_kind(name, node, "a table");
    for (const auto& [key, value] : *table) {
      if (auto extent = value.value_exact<std::int64_t>()) {
        if (*extent < 0)
          return at(where(key), fmt::format("`{}` is {}, expected an extent from 0 on", key.str(), *extent));
        out.symbols[std::string(key.str())] = *extent;
        continue;
      }
      const toml::array* array = value.as_array();
      if (!array) return wrong_kind(key, value, "a whole number, or a list of them for a graph input");
      std::vector<std::int64_t> dims;
      for (const toml::node& part : *array) {
        auto extent = part.value_exact<std::int64_t>();
        if (!extent || *extent < 0) return wrong_kind(key, part, "a list of extents from 0 on");
        dims.push_back(*extent);
      }
      out.shapes[std::string(key.str())] = std::move(dims);
    }
    return {};
  }

  Result<void> inputs(const toml::key& name, const toml::node& node, ConfigSection& out) const {
    const toml::table* table = node.as_table();
    if (!table) return wrong_kind(name, node, "a table");
    for (const auto& [key, value] : *table) {
      const toml::array* array = value.as_array();
      if (!array || array->size() != 2 || !array->get(0)->is_number() || !array->get(1)->is_number())
        return wrong_kind(key, value, "two numbers, [lowest, highest]");
      const double low = array->get(0)->value_or(0.0), high = array->get(1)->value_or(0.0);
      if (!(low <= high))
        return at(where(key), fmt::format("`{}` is [{}, {}], expected the lowest first", key.str(), low, high));
      out.ranges[std::string(key.str())] = {low, high};
    }
    return {};
  }

  Result<void> budgets(const toml::key& name, const toml::node& node, ConfigSection& out) const {
    const toml::table* table = node.as_table();
    if (!table) return wrong_kind(name, node, "a table");
    const std::vector<std::string> known = budget_names(book_);
    for (const auto& [key, value] : *table) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) return unknown(key, name.str(), known);
      if (!value.is_number()) return wrong_kind(key, value, "a number");
      const double limit = value.value_or(0.0);
      if (!(limit >= 0) || !std::isfinite(limit))
        return at(where(key), fmt::format("`{}` is {}, expected a number from 0 on", key.str(), limit));
      out.budgets[std::string(key.str())] = limit;
    }
    return {};
  }

  Result<void> limits(const toml::node& node, Raise raise, std::map<std::string, std::uint64_t>& out) const {
    const toml::table* table = node.as_table();
    if (!table) return at(where(node), fmt::format("`limits` is {}, expected [limits]", kind_of(node)));
    for (const auto& [key, value] : *table) {
      const RunLimitRow* row = find_run_limit(key.str());
      std::vector<std::string> known;
      for (const RunLimitRow& each : run_limit_rows()) known.emplace_back(each.name);
      if (!row) return unknown(key, "limits", known);
      const auto number = value.value_exact<std::int64_t>();
      if (!number || *number < 0) return wrong_kind(key, value, "a whole number from 0 on");
      RunLimits defaults;
      if (raise == Raise::no && static_cast<std::uint64_t>(*number) > row->of(defaults))
        return at(where(key), fmt::format("`{}` is {}, expected at most {}: a project may only lower limits; raise it "
                                          "with --limit, or in your own configuration",
                                          key.str(), *number, row->of(defaults)));
      out[std::string(key.str())] = static_cast<std::uint64_t>(*number);
    }
    return {};
  }

  Result<void> rule_options(const Rule& rule, const toml::table& table, ConfigSection& out) const {
    for (const auto& [key, value] : table) {
      std::vector<std::string> known;
      const RuleOption* row = nullptr;
      for (const RuleOption& candidate : rule.options) {
        known.push_back(candidate.key);
        if (candidate.key == key.str()) row = &candidate;
      }
      if (key.str() == "severity") {
        AEGIS_CHECK(severity(rule, key, value, out));
        continue;
      }
      known.emplace_back("severity");
      if (!row) return unknown(key, fmt::format("rules.{}", rule.code), known);
      auto& slot = out.rule_options[rule.code];
      if (std::holds_alternative<bool>(row->value)) {
        if (!value.is_boolean()) return wrong_kind(key, value, "true or false");
        slot[row->key] = value.value_or(false);
      } else if (std::holds_alternative<double>(row->value)) {
        if (!value.is_number()) return wrong_kind(key, value, "a number");
        const double number = value.value_or(0.0);
        if (number < row->min || number > row->max)
          return at(where(key),
                    fmt::format("`{}.{}` is {}, expected {} to {}", rule.code, row->key, number, row->min, row->max));
        slot[row->key] = number;
      } else {
        if (!value.is_string()) return wrong_kind(key, value, "a text");
        const std::string text = as_text(value);
        if (!row->choices.empty() && std::find(row->choices.begin(), row->choices.end(), text) == row->choices.end())
          return at(where(key), fmt::format("`{}.{}` is `{}`, which is none of its choices{}", rule.code, row->key,
                                            text, did_you_mean(text, row->choices)));
        slot[row->key] = text;
      }
    }
    return {};
  }

  Result<void> severity(const Rule& rule, const toml::key& key, const toml::node& value, ConfigSection& out) const {
    const std::vector<std::string> known = {"off", "info", "warning", "error"};
    const auto level = value.is_string() ? severity_from_name(as_text(value)) : std::nullopt;
    if (!level)
      return at(where(key),
                fmt::format("`{}` is {}, expected off, info, warning or error{}", key.str(),
                            value.is_string() ? fmt::format("`{}`", as_text(value)) : std::string(kind_of(value)),
                            value.is_string() ? did_you_mean(as_text(value), known) : ""));
    out.severities[rule.code] = *level;
    return {};
  }

  Result<void> rule_section(const toml::key& name, const toml::node& node, ConfigSection& out) const {
    const toml::table* table = node.as_table();
    if (!table) return wrong_kind(name, node, "a table");
    for (const auto& [key, value] : *table) {
      if (const Option* row = find_option_by_key(fmt::format("rules.{}", key.str()))) {
        AEGIS_CHECK(option(*row, key, value, out));
        continue;
      }
      const Rule* rule = book_.find(key.str());
      if (!rule) {
        std::vector<std::string> known = option_keys("rules.");
        for (const Rule* each : book_.rules()) known.push_back(each->code);
        std::string hint = did_you_mean(key.str(), known);
        if (hint.empty()) hint = "; `aegis rules` lists them";
        return at(where(key), fmt::format("`{}` is no rule{}", key.str(), hint));
      }
      if (const toml::table* inner = value.as_table()) {
        AEGIS_CHECK(rule_options(*rule, *inner, out));
      } else {
        AEGIS_CHECK(severity(*rule, key, value, out));
      }
    }
    return {};
  }

  // A whole file, or one override: `others` are keys that the caller reads.
  Result<void> section(const toml::table& table, ConfigSection& out, const std::vector<std::string>& others) const {
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      if (std::find(others.begin(), others.end(), name) != others.end()) continue;
      if (name == "shapes") {
        AEGIS_CHECK(shapes(key, value, out));
      } else if (name == "inputs") {
        AEGIS_CHECK(inputs(key, value, out));
      } else if (name == "rules") {
        AEGIS_CHECK(rule_section(key, value, out));
      } else if (name == "budgets") {
        AEGIS_CHECK(budgets(key, value, out));
      } else if (!option_keys(name + ".").empty()) {
        AEGIS_CHECK(option_section(key, value, out));
      } else if (const Option* row = find_option_by_key(name)) {
        AEGIS_CHECK(option(*row, key, value, out));
      } else {
        std::vector<std::string> known = {"shapes", "inputs", "rules", "budgets", "padding", "precision"};
        known.insert(known.end(), others.begin(), others.end());
        for (std::string& top : option_keys("")) known.push_back(std::move(top));
        return unknown(key, "", known);
      }
    }
    return {};
  }

  Result<std::vector<std::string>> texts(const toml::key& key, const toml::node& node) const {
    std::vector<std::string> list;
    if (node.is_string()) list.push_back(as_text(node));
    if (const toml::array* array = node.as_array())
      for (const toml::node& part : *array) {
        if (!part.is_string()) return wrong_kind(key, part, "a list of texts");
        list.push_back(as_text(part));
      }
    if (list.empty()) return wrong_kind(key, node, "a list of texts");
    return list;
  }

  Result<void> overrides(const toml::node& node, Config& config, const std::string& folder) const {
    const toml::array* array = node.as_array();
    if (!array) return at(where(node), fmt::format("`overrides` is {}, expected [[overrides]]", kind_of(node)));
    for (const toml::node& part : *array) {
      const toml::table* table = part.as_table();
      if (!table) return at(where(part), fmt::format("`overrides` holds {}, expected [[overrides]]", kind_of(part)));
      ConfigOverride entry{.files = {}, .folder = folder, .section = {}};
      for (const auto& [key, value] : *table)
        if (key.str() == "files") {
          AEGIS_TRY(entry.files, texts(key, value));
        }
      if (entry.files.empty()) return at(where(part), "[[overrides]] has no `files`, expected a list of path globs");
      AEGIS_CHECK(section(*table, entry.section, {"files"}));
      config.overrides.push_back(std::move(entry));
    }
    return {};
  }

  Result<void> suppressions(const toml::node& node, Config& config) const {
    const toml::array* array = node.as_array();
    if (!array) return at(where(node), fmt::format("`suppress` is {}, expected [[suppress]]", kind_of(node)));
    for (const toml::node& part : *array) {
      const toml::table* table = part.as_table();
      if (!table) return at(where(part), fmt::format("`suppress` holds {}, expected [[suppress]]", kind_of(part)));
      Suppression entry;
      entry.origin = where(part);
      for (const auto& [key, value] : *table) {
        const std::string name(key.str());
        std::string* slot = name == "rule"      ? &entry.rule
                            : name == "node"    ? &entry.node
                            : name == "reason"  ? &entry.reason
                            : name == "expires" ? &entry.expires
                                                : nullptr;
        if (!slot) return unknown(key, "suppress", {"rule", "node", "reason", "expires"});
        if (!value.is_string() && !(name == "expires" && value.is_date()))
          return wrong_kind(key, value, name == "expires" ? "a date such as 2027-06-01" : "a text");
        *slot = as_text(value);
      }
      if (entry.rule.empty())
        return at(entry.origin, "[[suppress]] has no `rule`, expected a code or a prefix of codes");
      if (!entry.expires.empty() && !is_date(entry.expires))
        return at(entry.origin, fmt::format("`expires` is `{}`, expected a date such as 2027-06-01", entry.expires));
      if (entry.reason.empty())
        return at(entry.origin, "[[suppress]] has no `reason`, expected one: it is shown in reports");
      config.suppressions.push_back(std::move(entry));
    }
    return {};
  }

  std::string name_;
  const RuleBook& book_;
};

// Lays the content of one parsed file over what the files that it extends have set.
Result<void> read_into(const toml::table& root, const std::string& name, const std::string& folder, Config& config) {
  Config own;
  AEGIS_CHECK(Reader(name, *config.book).file(root, own, folder));
  config.files.push_back(name);
  config.base.lay(own.base);
  config.overrides.insert(config.overrides.end(), own.overrides.begin(), own.overrides.end());
  for (const auto& [limit, value] : own.limits) config.limits[limit] = value;
  config.suppressions.insert(config.suppressions.end(), own.suppressions.begin(), own.suppressions.end());
  return {};
}

Result<toml::table> parse(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, std::string_view(name));
  } catch (const toml::parse_error& problem) {
    return at(fmt::format("{}:{}", name, problem.source().begin.line),
              fmt::format("not TOML: {}", problem.description()));
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

Result<toml::table> parse_file(const std::string& path) {
  std::error_code problem;
  const auto size = std::filesystem::file_size(path, problem);
  if (problem)
    return at(path, fmt::format("the configuration cannot be read ({}); name a readable file", problem.message()));
  if (size > max_bytes)
    return at(path, fmt::format("the configuration has {} bytes, expected at most {}", size, max_bytes));
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return at(path, "the configuration cannot be read; name a readable file");
  return parse(text.str(), path);
}

Result<void> read_chain(const std::string& path, int depth, Config& config) {
  if (depth > max_extends)
    return at(path, fmt::format("`extends` goes {} files deep, expected an end; is it a circle", depth));
  AEGIS_TRY(toml::table root, parse_file(path));
  if (const toml::node* extends = root.get("extends")) {
    if (!extends->is_string())
      return at(Reader(path, *config.book).where(*extends),
                "`extends` is no text, expected the path of another aegis.toml");
    AEGIS_CHECK(read_chain((std::filesystem::path(folder_of(path)) / as_text(*extends)).lexically_normal().string(),
                           depth + 1, config));
  }
  return read_into(root, path, folder_of(path), config);
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& name, const std::string& folder, Rules book) {
  AEGIS_TRY(toml::table root, parse(text, name));
  Config config{.book = std::move(book)};
  AEGIS_CHECK(read_into(root, name, folder, config));
  return config;
}

Result<std::map<std::string, std::uint64_t>> read_user_limits(const std::string& path, const RuleBook& book) {
  std::map<std::string, std::uint64_t> limits;
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return limits;
  AEGIS_TRY(const toml::table root, parse_file(path));
  AEGIS_CHECK(Reader(path, book).user_file(root, limits));
  return limits;
}

Result<Config> read_config(const std::string& path, Rules book) {
  Config config{.book = std::move(book)};
  AEGIS_CHECK(read_chain(path, 1, config));
  return config;
}

}  // namespace aegis
