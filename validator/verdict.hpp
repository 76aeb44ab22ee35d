// What a change promises and what a comparison found: the words that gates, reports and exit codes share.
#pragma once

#include <cstdint>
#include <string_view>

namespace aegis {

// The promise that a rewrite makes, and with it the gate that applies (compare/gates.hpp).
enum class ChangeClass : std::uint8_t {
  exact,     // the same bits: Safety::exact patches, an empty plan
  same,      // padding whose outputs keep their bits on a strict engine
  rescaled,  // padding with a rescaled constant (a norm's mean, an epsilon)
  close,     // another order of f32 sums
  tf32,
  f16,
  bf16,
};
constexpr std::string_view name(ChangeClass change) {
  constexpr std::string_view names[] = {"exact", "same", "rescaled", "close", "tf32", "f16", "bf16"};
  return names[static_cast<int>(change)];
}

// In the order in which the worst of several wins.
enum class Verdict : std::uint8_t {
  pass,
  warn,
  degenerate,  // the numbers cannot tell right from wrong; not a pass
  fail,
};
constexpr std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"pass", "warn", "degenerate", "fail"};
  return names[static_cast<int>(verdict)];
}
constexpr Verdict worst(Verdict a, Verdict b) { return a < b ? b : a; }

// What a verdict rests on.
enum class Basis : std::uint8_t {
  synthetic,  // inputs that Aegis made up
  user,       // inputs from the user's files
  task,       // the user's inputs with labels: the share of right answers was measured
};
constexpr std::string_view name(Basis basis) {
  constexpr std::string_view names[] = {"synthetic", "user", "task"};
  return names[static_cast<int>(basis)];
}

}  // namespace aegis
