// aegis rules: the catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "linter/host_codes.hpp"
#include "linter/rule_book.hpp"

using namespace aegis;

namespace {

Json row(const Rule& rule) {
  Json reads = Json::array({"shapes"});
  if (rule.weights) reads.push_back("weights");
  if (rule.data) reads.push_back("data");
  return Json{{"code", rule.code},
              {"name", rule.name},
              {"family", rule.family},
              {"unit", name(rule.unit)},
              {"severity", name(rule.severity)},
              {"stable", rule.stable},
              {"reads", reads},
              {"pins", rule.pins},
              {"fix_safety", rule.safety ? Json(name(*rule.safety)) : Json(nullptr)}};
}

Json row(const HostCode& entry) {
  return Json{{"code", entry.code},         {"name", entry.name}, {"family", entry.family}, {"unit", "model"},
              {"severity", entry.severity}, {"stable", true},     {"reads", Json::array()}, {"pins", false},
              {"fix_safety", nullptr}};
}

Result<Exit> run(const Settings& settings, Io&, Json& document) {
  const std::vector<std::string> wanted = settings.list("select");
  Json& list = document["rules"] = Json::array();
  const auto add = [&](const auto& entry) {
    const auto chosen = [&](const std::string& prefix) { return std::string_view(entry.code).starts_with(prefix); };
    if (wanted.empty() || std::any_of(wanted.begin(), wanted.end(), chosen)) list.push_back(row(entry));
  };
  for (const Rule* rule : settings.rules().rules()) add(*rule);
  for (const HostCode& entry : host_codes()) add(entry);
  return Exit::clean;
}

void text(const Json& document, const TextStyle& style, std::ostream& out) {
  std::string family;
  std::size_t preview = 0;
  for (const Json& rule : document["rules"]) {
    if (rule["family"] != family) {
      out << (family.empty() ? "" : "\n") << paint(style, Paint::bold, rule["family"].get<std::string>()) << '\n';
      family = rule["family"];
    }
    std::string notes;
    if (!rule["stable"].get<bool>()) {
      notes += " preview";
      ++preview;
    }
    for (const Json& what : rule["reads"])
      if (what != "shapes") notes += fmt::format(" reads-{}", what.get<std::string>());
    if (!rule["fix_safety"].is_null()) notes += fmt::format(" fix:{}", rule["fix_safety"].get<std::string>());
    out << fmt::format("  {}  {:<30} {:<8}{}\n", rule["code"].get<std::string>(), rule["name"].get<std::string>(),
                       rule["severity"].get<std::string>(), notes);
  }
  const std::size_t total = document["rules"].size();
  out << fmt::format("\n{} rules, {} of them only with --preview or --select; `aegis explain CODE` tells about one\n",
                     total, preview);
}

constexpr std::string_view options[] = {"select"};

}  // namespace

AEGIS_COMMAND(rules) = {.name = "rules",
                        .operands = "",
                        .summary = "the catalogue of rules",
                        .order = 60,
                        .min_operands = 0,
                        .max_operands = 0,
                        .options = options,
                        .run = run,
                        .text = text};
