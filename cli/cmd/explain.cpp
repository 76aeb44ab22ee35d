// aegis explain CODE|TOPIC: one rule with a bad and a good example, or one subject.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "cli/topics.hpp"
#include "linter/host_codes.hpp"
#include "linter/match.hpp"
#include "linter/rule_book.hpp"

using namespace aegis;

namespace {

Json value_of(const OptionValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json examples(const std::vector<RuleExample>& list) {
  Json result = Json::array();
  for (const RuleExample& example : list)
    result.push_back(Json{{"model", example.text},
                          {"target", example.target},
                          {"as", example.as.empty() ? Json(nullptr) : Json(example.as)},
                          {"options", example.with.empty() ? Json(nullptr) : Json(example.with)}});
  return result;
}

void explain(const Rule& rule, Json& document) {
  Json options = Json::array();
  for (const RuleOption& option : rule.options)
    options.push_back(Json{{"key", fmt::format("{}.{}", rule.code, option.key)},
                           {"default", value_of(option.value)},
                           {"help", option.help}});
  document["rule"] = Json{{"code", rule.code},
                          {"name", rule.name},
                          {"family", rule.family},
                          {"severity", name(rule.severity)},
                          {"stable", rule.stable},
                          {"pins", rule.pins},
                          {"fix_safety", rule.safety ? Json(name(*rule.safety)) : Json(nullptr)},
                          {"doc", rule.doc},
                          {"options", options},
                          {"bad", examples(rule.bad)},
                          {"good", examples(rule.good)}};
}

void explain(const HostCode& entry, Json& document) {
  document["rule"] =
      Json{{"code", entry.code},       {"name", entry.name},
           {"family", entry.family},   {"severity", entry.severity},
           {"stable", true},           {"pins", false},
           {"fix_safety", nullptr},    {"doc", fmt::format("## What\n{}\n## Fix\n{}\n", entry.trigger, entry.advice)},
           {"options", Json::array()}, {"bad", Json::array()},
           {"good", Json::array()}};
}

Error unknown(const RuleBook& book, const std::string& word) {
  std::vector<std::string> known;
  for (const Rule* rule : book.rules()) known.insert(known.end(), {rule->code, rule->name});
  for (const HostCode& entry : host_codes())
    known.insert(known.end(), {std::string(entry.code), std::string(entry.name)});
  std::string names;
  for (const Topic* topic : topics()) {
    known.emplace_back(topic->name);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", topic->name);
  }
  return Error{
      .fault = Fault::usage,
      .code = "",
      .message = fmt::format("`{}` is neither a rule nor a topic{}; `aegis rules` lists the rules, topics are {}", word,
                             did_you_mean(word, known), names),
      .where = "",
      .notes = {}};
}

Result<Exit> run(const Settings& settings, Io&, Json& document) {
  const std::string& word = settings.operands()[0];
  if (const Topic* topic = find_topic(word)) {
    document["topic"] = Json{{"name", topic->name}, {"summary", topic->summary}, {"text", topic->text}};
  } else if (const Rule* rule = settings.rules().find(word)) {
    explain(*rule, document);
  } else if (const HostCode* entry = find_host_code(word)) {
    explain(*entry, document);
  } else {
    return unknown(settings.rules(), word);
  }
  return Exit::clean;
}

// Headings in bold; everything else as it is written, wrapped where a line is too long.
void markdown(std::string_view text, const TextStyle& style, std::ostream& out) {
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with("## ")) {
      out << (first ? "" : "\n") << paint(style, Paint::bold, line.substr(3)) << '\n';
    } else if (line.starts_with("  ")) {
      out << line << '\n';
    } else if (!line.empty()) {
      out << wrap(style, line, 0, line.starts_with("- ") ? 2 : 0) << '\n';
    }
    first = false;
  }
}

void example(std::string_view heading, const Json& list, const TextStyle& style, std::ostream& out) {
  for (const Json& entry : list) {
    out << '\n' << paint(style, Paint::bold, heading);
    out << fmt::format(" (target {}", entry["target"].get<std::string>());
    if (!entry["as"].is_null()) out << fmt::format(", as {}", entry["as"].get<std::string>());
    if (!entry["options"].is_null()) out << ", " << entry["options"].get<std::string>();
    out << ")\n" << entry["model"].get<std::string>() << '\n';
  }
}

void text(const Json& document, const TextStyle& style, std::ostream& out) {
  if (document.contains("topic")) {
    const Json& topic = document["topic"];
    out << paint(style, Paint::bold, topic["name"].get<std::string>()) << ": " << topic["summary"].get<std::string>()
        << "\n\n";
    markdown(topic["text"].get_ref<const std::string&>(), style, out);
    return;
  }
  const Json& rule = document["rule"];
  out << paint(style, Paint::bold,
               fmt::format("{} {}", rule["code"].get<std::string>(), rule["name"].get<std::string>()));
  out << fmt::format(
      "\n{}, {}{}{}{}\n\n", rule["family"].get<std::string>(), rule["severity"].get<std::string>(),
      rule["stable"].get<bool>() ? "" : ", runs with --preview or --select",
      rule["pins"].get<bool>() ? ", a recast leaves its nodes in FP32" : "",
      rule["fix_safety"].is_null() ? "" : fmt::format(", fix: {}", rule["fix_safety"].get<std::string>()));
  markdown(rule["doc"].get_ref<const std::string&>(), style, out);
  if (!rule["options"].empty()) out << '\n' << paint(style, Paint::bold, "Options") << " ([rules] of aegis.toml)\n";
  for (const Json& option : rule["options"])
    out << fmt::format("  {} = {}  {}\n", option["key"].get<std::string>(), option["default"].dump(),
                       option["help"].get<std::string>());
  example("Bad", rule["bad"], style, out);
  example("Good", rule["good"], style, out);
}

}  // namespace

AEGIS_COMMAND(explain) = {.name = "explain",
                          .operands = "CODE|TOPIC",
                          .summary =
                              "one rule with a bad and a good example, or a topic: alignment, memory-bound, precision, "
                              "recomputation",
                          .order = 61,
                          .run = run,
                          .text = text};
