// Counts over all files of a lint, and the gates that they are held to.
#pragma once

#include <map>
#include <set>
#include <string>

#include "cli/lint_file.hpp"

namespace aegis {

class LintSummary {
 public:
  explicit LintSummary(const std::string& fail_on) : gate_(severity_from_name(fail_on).value_or(Severity::off)) {}

  void add(const LintedFile& file);

  Exit exit() const { return exit_; }
  Json json() const;

 private:
  struct Budget : LintedFile::Budget {
    bool ok = true;  // in every file
  };
  void add_findings(const Json& model);
  void add_budgets(const LintedFile& file);

  Severity gate_;
  Exit exit_ = Exit::clean;
  std::map<Severity, std::size_t> counts_;
  std::size_t suppressed_ = 0, files_ = 0, pointers_ = 0;
  std::map<std::string, Budget> budgets_;
  std::map<std::string, StaleSuppression> stale_;  // by origin
  std::set<std::string> used_;                     // origins
};

}  // namespace aegis
