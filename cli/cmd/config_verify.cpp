// aegis config verify: is every key of a configuration known, and every value one that it takes?
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "linter/rules.hpp"

using namespace aegis;

namespace {

// What a reader of TOML cannot tell: whether the device table knows the targets, and rules have the codes.
Result<void> check_meaning(const Config& config) {
  std::vector<ConfigSection> sections = {config.base};
  for (const ConfigOverride& entry : config.overrides) sections.emplace_back(config.base).lay(entry.section);
  for (ConfigSection& section : sections) {
    Config one = config;
    one.base = std::move(section);
    AEGIS_TRY(const Settings settings, Settings::make({}, std::move(one), Io{}));
    AEGIS_TRY(const std::vector<Target> targets, asked_targets(settings));
    AEGIS_TRY(const LintOptions options, asked_lint(settings, targets, nullptr));
    AEGIS_CHECK(check_options(options));
  }
  return {};
}

Result<void> check_file(const std::string& path, const Rules& book) {
  AEGIS_TRY(const Config config, read_config(path, book));
  return check_meaning(config);
}

Result<Exit> run(const Settings& settings, Io&, Json& document) {
  Exit exit = Exit::clean;
  Json& files = document["files"] = Json::array();
  const auto add = [&](const std::string& path, const Result<void>& checked) {
    files.push_back(Json{{"path", path}, {"error", checked ? Json(nullptr) : error_object(checked.error(), path)}});
    if (!checked) exit = worst(exit, Exit::usage);
  };
  for (const std::string& path : settings.operands()) add(path, check_file(path, settings.config().book));
  // Without operands the nearest file was read before this verb ran: one that cannot be read has ended the run already.
  if (settings.operands().empty() && !settings.config().files.empty()) {
    const Result<void> checked = check_meaning(settings.config());
    for (const std::string& path : settings.config().files)
      add(path, path == settings.config().files.back() ? checked : Result<void>());
  }
  return exit;
}

void text(const Json& document, const TextStyle& style, std::ostream& out) {
  if (document["files"].empty()) out << "no aegis.toml was found from here upward\n";
  for (const Json& file : document["files"]) {
    const std::string path = printable(file["path"].get_ref<const std::string&>());
    if (file["error"].is_null())
      out << path << ": " << paint(style, Paint::green, "fine") << '\n';
    else
      out << path << ": " << paint(style, Paint::red, "error") << "\n  "
          << printable(file["error"]["message"].get_ref<const std::string&>()) << '\n';
  }
}

}  // namespace

AEGIS_COMMAND(config_verify) = {.name = "config verify",
                                .operands = "[FILE...]",
                                .summary = "check aegis.toml: unknown keys, wrong values",
                                .order = 70,
                                .min_operands = 0,
                                .max_operands = -1,
                                .run = run,
                                .text = text};
