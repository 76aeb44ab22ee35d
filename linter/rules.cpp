#include "linter/rules.hpp"

#include <aegis/aegis.h>

#include <algorithm>
#include <map>

#include "linter/abi.hpp"
#include "linter/rule_table.hpp"

namespace aegis {

std::string_view name(Unit unit) {
  switch (unit) {
    case Unit::node: return "node";
    case Unit::group: return "group";
    case Unit::model: break;
  }
  return "model";
}

static std::string family_of(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> families[] = {{"AL", "alignment"},
                                                                               {"MB", "memory_bound"},
                                                                               {"PR", "precision"},
                                                                               {"AM", "activation_memory"},
                                                                               {"ST", "structure"}};
  for (const auto& [prefix, family] : families) {
    if (code.starts_with(prefix)) return std::string(family);
  }
  return {};
}

static std::vector<std::string> texts(const aegis_list& list) {
  std::vector<std::string> out;
  for (const char* text : abi::Items<const char*>(list)) out.emplace_back(text);
  return out;
}

static RuleOption option_of(const aegis_option& option) {
  RuleOption out;
  out.key = option.key;
  out.help = abi::text(option.help);
  out.budget = abi::text(option.budget);
  out.min = option.min;
  out.max = option.max;
  switch (option.type) {
    case AEGIS_OPTION_BOOL: out.value = option.value != 0; break;
    case AEGIS_OPTION_TEXT: out.value = abi::text(option.text); break;
    case AEGIS_OPTION_CHOICE: {
      std::string_view rest = option.text ? option.text : "";
      while (!rest.empty()) {
        const std::size_t bar = rest.find('|');
        out.choices.emplace_back(rest.substr(0, bar));
        rest.remove_prefix(bar == std::string_view::npos ? rest.size() : bar + 1);
      }
      out.value = out.choices.empty() ? std::string() : out.choices.front();
      break;
    }
    default: out.value = option.value;
  }
  return out;
}

static std::vector<RuleExample> examples(const aegis_list& list) {
  std::vector<RuleExample> out;
  for (const aegis_example& e : abi::Items<aegis_example>(list)) {
    out.push_back({.text = abi::text(e.text),
                   .target = e.target ? e.target : "a100_sxm_80",
                   .as = abi::text(e.as),
                   .runtime = abi::text(e.runtime),
                   .with = abi::text(e.with),
                   .weights = abi::text(e.weights),
                   .expect = e.expect});
  }
  return out;
}

Rule read_rule(const aegis_entry& entry) {
  const aegis_rule& abi = *entry.rule;
  Rule rule;
  rule.code = abi.code;
  rule.name = entry.name;
  rule.family = family_of(abi.code);
  rule.abi = entry.rule;
  rule.unit = static_cast<Unit>(abi.unit);
  rule.severity = abi::severity(abi.severity);
  rule.safety = abi::safety(abi.safety);
  const auto flag = [&](std::uint32_t bit) { return (abi.flags & bit) != 0; };
  rule.stable = flag(AEGIS_RULE_STABLE);
  rule.weights = flag(AEGIS_RULE_WEIGHTS);
  rule.data = flag(AEGIS_RULE_DATA);
  rule.pins = flag(AEGIS_RULE_PINS);
  rule.target_free = flag(AEGIS_RULE_TARGET_FREE);
  rule.efficiency = flag(AEGIS_RULE_EFFICIENCY);
  rule.ops = texts(abi.ops);
  rule.facts = texts(abi.facts);
  rule.silences = texts(abi.silences);
  for (const aegis_option& option : abi::Items<aegis_option>(abi.options)) rule.options.push_back(option_of(option));
  rule.doc = abi::text(abi.doc);
  rule.bad = examples(abi.bad);
  rule.good = examples(abi.good);
  return rule;
}

std::span<const Rule> rules() {
  static const std::vector<Rule> table = [] {
    std::vector<Rule> out;
    for (const aegis_entry& entry : rule_table()) out.push_back(read_rule(entry));
    std::ranges::sort(out, {}, &Rule::code);
    return out;
  }();
  return table;
}

}  // namespace aegis
