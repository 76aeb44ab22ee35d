// The rule table: what `aegis rules` and `aegis explain` print, and what `lint` runs. Built-in rules come from a table
// that CMake makes from file names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linter/lint.hpp"

extern "C" {
struct aegis_entry;
struct aegis_rule;
}

namespace aegis {

// Of the program's own codes; a pack takes another one.
inline constexpr std::array<std::string_view, 7> reserved_prefixes{"AL", "MB", "PR", "AM", "ST", "IO", "PK"};

struct RuleOption {
  std::string key, help, budget;     // budget: the [budgets] key that sets it; may be empty
  OptionValue value;                 // the default
  double min = 0, max = 0;           // for numbers
  std::vector<std::string> choices;  // for choices
};

struct RuleExample {
  std::string text;  // an ONNX graph in textual syntax
  std::string target, as, runtime, with, weights;
  int expect = 0;  // findings
};

enum class Unit : std::uint8_t { node, group, model };
std::string_view name(Unit unit);

struct Rule {
  std::string code, name, family;  // "AL101", "unaligned_gemm_k", "alignment"
  Unit unit = Unit::node;
  Severity severity = Severity::warning;
  std::optional<Safety> safety;  // of its safest-ranked fix; absent: the rule offers none
  bool stable = false, weights = false, data = false, pins = false, target_free = false, efficiency = false;
  std::vector<std::string> ops, facts, silences;
  std::vector<RuleOption> options;
  std::string doc;  // Markdown: What, Why, Fix
  std::vector<RuleExample> bad, good;
  const aegis_rule* abi = nullptr;
};

// A rule as the plugin line knows it; the entry's rule is borrowed.
Rule read_rule(const aegis_entry& entry);

// Every rule of the program itself, by code; those of packs are in a RuleBook.
std::span<const Rule> rules();

// Runs nothing: the same checks of names and values that lint makes first.
Result<void> check_options(const LintOptions& options);

}  // namespace aegis
