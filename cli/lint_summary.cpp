#include "cli/lint_summary.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/document.hpp"
#include "linter/load_findings.hpp"

namespace aegis {

void LintSummary::add(const LintedFile& file) {
  if (!file.model) {
    ++pointers_;
    return;
  }
  ++files_;
  if (file.error) {
    ++counts_[Severity::error];
    exit_ = worst(exit_, exit_of(file.error->fault));
    return;
  }
  add_findings(*file.model);
  add_budgets(file);
  for (const StaleSuppression& entry : file.stale) stale_.emplace(entry.suppression.origin, entry);
  used_.insert(file.used.begin(), file.used.end());
}

void LintSummary::add_findings(const Json& model) {
  for (const Json& finding : model.at("findings")) {
    if (!finding.at("suppressed").is_null()) {
      ++suppressed_;
      continue;
    }
    const Severity severity =
        severity_from_name(finding.at("severity").get_ref<const std::string&>()).value_or(Severity::error);
    ++counts_[severity];
    if (is_unreadable(finding.at("code").get_ref<const std::string&>(), severity)) exit_ = worst(exit_, Exit::file);
    if (gate_ != Severity::off && severity >= gate_) exit_ = worst(exit_, Exit::gate);
  }
}

// Over all files, the worst is shown.
void LintSummary::add_budgets(const LintedFile& file) {
  for (const auto& [name, own] : file.budgets) {
    Budget& budget = budgets_[name];
    budget.limit = own.limit;
    if (!own.actual) continue;
    budget.actual = std::max(budget.actual.value_or(*own.actual), *own.actual);
    if (*own.actual <= own.limit) continue;
    budget.ok = false;
    exit_ = worst(exit_, Exit::gate);
  }
}

Json LintSummary::json() const {
  const auto count = [&](Severity severity) {
    const auto found = counts_.find(severity);
    return found == counts_.end() ? 0 : found->second;
  };
  Json json{{"fail_on", gate_ == Severity::off ? "never" : name(gate_)},
            {"errors", count(Severity::error)},
            {"warnings", count(Severity::warning)},
            {"infos", count(Severity::info)},
            {"suppressed", suppressed_},
            {"files", files_},
            {"pointers_skipped", pointers_},
            {"budgets", Json::array()},
            {"stale_suppressions", Json::array()}};
  for (const auto& [name, budget] : budgets_)
    json["budgets"].push_back(Json{{"name", name},
                                   {"limit", number_or_null(budget.limit)},
                                   {"actual", number_or_null(budget.actual)},
                                   {"ok", budget.actual ? Json(budget.ok) : Json(nullptr)}});
  for (const auto& [origin, entry] : stale_)
    if (!used_.contains(origin))
      json["stale_suppressions"].push_back(Json{{"rule", entry.suppression.rule},
                                                {"node", entry.suppression.node},
                                                {"origin", origin},
                                                {"expired", entry.expired}});
  return json;
}

}  // namespace aegis
