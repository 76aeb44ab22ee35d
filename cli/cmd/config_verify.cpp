// aegis config verify: is every key of a configuration known, and every value one that it takes?
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"

using namespace aegis;

namespace {

Result<Exit> run(const Settings& settings, Io&, Json& document) {
  Exit exit = Exit::clean;
  Json& files = document["files"] = Json::array();
  for (const std::string& path : settings.operands()) {
    const Result<Config> config = read_config(path, settings.config().book);
    files.push_back(Json{{"path", path}, {"error", config ? Json(nullptr) : error_object(config.error())}});
    if (!config) exit = worst(exit, Exit::usage);
  }
  // Without operands the nearest file was read before this verb ran: a wrong one has ended the run already.
  if (settings.operands().empty())
    for (const std::string& path : settings.config().files) files.push_back(Json{{"path", path}, {"error", nullptr}});
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
