// One call of a rule's `check`: what the opaque aegis_cx of the plugin line stands for.
#pragma once

#include <aegis/aegis.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "linter/host/arena.hpp"
#include "linter/host/draft.hpp"
#include "linter/host/view.hpp"
#include "linter/rules.hpp"

namespace aegis::host {

// The function table that every check gets; none of its functions throws.
const aegis_api& api();

// How often facts were absent, by aegis_absence.
using Absences = std::array<std::uint64_t, AEGIS_NO_SUCH_FACT + 1>;

}  // namespace aegis::host

struct aegis_cx {
  const aegis::host::ViewState& view;
  const aegis::Rule& rule;
  const aegis::LintOptions& options;
  std::chrono::steady_clock::time_point deadline;  // of the rule, for this file

  aegis::host::Arena arena{};
  std::vector<aegis::host::Draft> drafts{};
  aegis::host::Absences absent{};
  std::vector<std::string> log{};
  std::string failure{};  // why `check` is about to fail, or did
  bool threw = false;     // a function of the host threw: what the rule saw is not complete

  bool late() const { return std::chrono::steady_clock::now() >= deadline; }
  void note(std::string text) { log.push_back(std::move(text)); }
};
