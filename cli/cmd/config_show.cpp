// aegis config show: the values in force, and with --why where each comes from.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/option.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"

using namespace aegis;

namespace {

Result<Exit> run(const Settings& settings, Io&, Json& document) {
  document["files"] = settings.config().files;
  Json& values = document["values"] = Json::object();
  for (const Option& option : option_table()) {
    if (option.key.empty()) continue;
    const std::string name(option.name.empty() ? option.key : option.name);
    Json value = Json::array();
    for (const std::string& word : settings.list(name)) value.push_back(word);
    const bool many = option.kind == OptionKind::list || option.kind == OptionKind::repeated;
    if (!many) value = settings.text(name).empty() ? Json(nullptr) : Json(settings.text(name));
    if (option.kind == OptionKind::flag) value = settings.flag(name);
    values[std::string(option.key)] = Json{{"value", value}, {"origin", settings.origin(name)}};
  }
  const ConfigSection& file = settings.config().base;
  for (const auto& [symbol, extent] : file.symbols) document["shapes"][symbol] = extent;
  for (const auto& [input, dims] : file.shapes) document["shapes"][input] = dims;
  for (const auto& [input, range] : file.ranges) document["inputs"][input] = {range.first, range.second};
  for (const auto& [code, severity] : file.severities) document["rules"][code] = name(severity);
  for (const auto& [code, options] : file.rule_options)
    for (const auto& [key, value] : options)
      document["rules"][fmt::format("{}.{}", code, key)] =
          std::visit([](const auto& held) { return Json(held); }, value);
  for (const auto& [budget, limit] : file.budgets) document["budgets"][budget] = number_or_null(limit);
  for (const Suppression& entry : settings.config().suppressions)
    document["suppress"].push_back(
        Json{{"rule", entry.rule}, {"node", entry.node}, {"reason", entry.reason}, {"origin", entry.origin}});
  document["why"] = settings.flag("why");
  return Exit::clean;
}

void text(const Json& document, const TextStyle&, std::ostream& out) {
  for (const Json& path : document["files"]) out << "read " << printable(path.get_ref<const std::string&>()) << '\n';
  const bool why = document["why"].get<bool>();
  for (const auto& [key, entry] : document["values"].items()) {
    const std::string origin = entry["origin"];
    if (!why && origin == "default") continue;
    out << printable(fmt::format("{} = {}", key, entry["value"].dump())) << (why ? "  (" + printable(origin) + ")" : "")
        << '\n';
  }
  for (const char* table : {"shapes", "inputs", "rules", "budgets"})
    if (document.contains(table))
      for (const auto& [key, value] : document[table].items())
        out << printable(fmt::format("{}.{} = {}", table, key, value.dump())) << '\n';
  if (document.contains("suppress"))
    for (const Json& entry : document["suppress"])
      out << printable(fmt::format("suppress {} at {}: {} ({})", entry["rule"].get<std::string>(),
                                   entry["node"].get<std::string>(), entry["reason"].get<std::string>(),
                                   entry["origin"].get<std::string>()))
          << '\n';
}

constexpr std::string_view options[] = {"why"};

}  // namespace

AEGIS_COMMAND(config_show) = {.name = "config show",
                              .operands = "",
                              .summary = "the configuration in force; --why names where each value comes from",
                              .order = 71,
                              .min_operands = 0,
                              .max_operands = 0,
                              .options = options,
                              .run = run,
                              .text = text};
