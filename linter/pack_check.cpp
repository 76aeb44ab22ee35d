#include "linter/pack_check.hpp"

#include <aegis/aegis.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "linter/abi.hpp"
#include "linter/rules.hpp"

namespace aegis {
namespace {

using Problem = std::optional<std::string>;

// A list of T of a maker whose T may be longer than ours; a null list is an empty one.
template <class T>
bool readable(const aegis_list& list) {
  return list.count == 0 || (list.data != nullptr && list.stride >= sizeof(T));
}

bool texts(const aegis_list& list) {
  return readable<const char*>(list) &&
         std::ranges::all_of(abi::Items<const char*>(list), [](const char* text) { return text != nullptr; });
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Problem prefix_problem(std::string_view prefix) {
  if (prefix.size() != 2 || !std::ranges::all_of(prefix, is_capital))
    return fmt::format("its prefix is `{}`, expected two capital letters", prefix);
  if (std::ranges::find(reserved_prefixes, prefix) != reserved_prefixes.end())
    return fmt::format("its prefix {} is one of Aegis's own, expected another one", prefix);
  return std::nullopt;
}

Problem code_problem(std::string_view code, std::string_view prefix) {
  const bool shaped = code.size() == prefix.size() + 3 && code.starts_with(prefix) &&
                      std::ranges::all_of(code.substr(prefix.size()), is_digit);
  if (shaped) return std::nullopt;
  return fmt::format("a rule has the code `{}`, expected {} and three digits", code, prefix);
}

Problem rule_problem(const aegis_entry& entry, std::string_view prefix) {
  if (!entry.name || !*entry.name) return "a rule has no name, expected the stem of its file";
  if (!entry.rule) return fmt::format("{} is null, expected a rule", entry.name);
  const aegis_rule& rule = *entry.rule;
  const auto bad = [&](std::string_view what) { return fmt::format("{}: {}", entry.name, what); };
  if (rule.struct_size < sizeof(aegis_rule))
    return bad(fmt::format("the rule takes {} bytes, expected at least {}", rule.struct_size, sizeof(aegis_rule)));
  if (!rule.code) return bad("the rule has no code");
  if (auto wrong = code_problem(rule.code, prefix)) return bad(*wrong);
  if (!rule.check) return bad("the rule has no check");
  if (rule.unit > AEGIS_UNIT_MODEL) return bad(fmt::format("unit {} is none that this version knows", rule.unit));
  if (rule.severity > AEGIS_ERROR) return bad(fmt::format("severity {} is none of the ABI", rule.severity));
  if (rule.safety > AEGIS_LOSSY) return bad(fmt::format("safety {} is none of the ABI", rule.safety));
  if (!texts(rule.ops) || !texts(rule.facts) || !texts(rule.silences))
    return bad("ops, facts or silences is no list of texts");
  if (!readable<aegis_option>(rule.options)) return bad("its options are no list of aegis_option");
  if (!readable<aegis_example>(rule.bad) || !readable<aegis_example>(rule.good))
    return bad("its examples are no list of aegis_example");
  const auto options = abi::Items<aegis_option>(rule.options);
  if (std::any_of(options.begin(), options.end(), [](const aegis_option& option) { return !option.key; }))
    return bad("an option has no key");
  return std::nullopt;
}

}  // namespace

std::optional<std::string> pack_problem(const aegis_pack& pack) {
  if (pack.magic != AEGIS_PACK_MAGIC)
    return fmt::format("its aegis_pack_v1 begins with {:#x}, expected {:#x}: it is no pack", pack.magic,
                       AEGIS_PACK_MAGIC);
  if (pack.abi_major != AEGIS_ABI_MAJOR || pack.abi_minor > AEGIS_ABI_MINOR)
    return fmt::format("it was built for ABI {}.{}, this program has {}.{}; build it with this version's SDK",
                       pack.abi_major, pack.abi_minor, AEGIS_ABI_MAJOR, AEGIS_ABI_MINOR);
  if (pack.struct_size < sizeof(aegis_pack))
    return fmt::format("its descriptor takes {} bytes, expected at least {}", pack.struct_size, sizeof(aegis_pack));
  if (!pack.name || !*pack.name || !pack.vendor || !pack.version || !pack.prefix)
    return "it has no name, vendor, version or prefix, expected all four";
  if (auto wrong = prefix_problem(pack.prefix)) return wrong;
  if (!readable<aegis_entry>(pack.rules) || pack.rules.count == 0) return "it holds no rules, expected at least one";
  std::set<std::string_view> codes;
  for (const aegis_entry& entry : abi::Items<aegis_entry>(pack.rules)) {
    if (auto wrong = rule_problem(entry, pack.prefix)) return wrong;
    if (!codes.insert(entry.rule->code).second)
      return fmt::format("two of its rules have the code {}, expected one each", entry.rule->code);
  }
  return std::nullopt;
}

}  // namespace aegis
