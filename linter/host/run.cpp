#include "linter/host/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "linter/host/units.hpp"
#include "linter/settle.hpp"

namespace aegis::host {

// How many drafts are gathered before equal ones are folded.
static constexpr std::size_t fold_every = 4096;

static const Rule& host_rule(bool failed) {
  const auto make = [](std::string code, std::string name) {
    Rule rule;
    rule.code = std::move(code);
    rule.name = std::move(name);
    rule.family = "plugin";
    rule.unit = Unit::model;
    rule.severity = Severity::error;
    rule.stable = true;
    return rule;
  };
  static const Rule rule_failed = make("PK801", "rule_failed"), rule_limit = make("PK802", "rule_limit");
  return failed ? rule_failed : rule_limit;
}

static Draft host_finding(const Rule& of, Severity severity, std::string message) {
  Draft draft;
  draft.rule = &of;
  draft.severity = severity;
  draft.message = std::move(message);
  return draft;
}

static std::string_view status_text(aegis_status status) {
  switch (status) {
    case AEGIS_CANCELLED: return "it was cancelled";
    case AEGIS_INVALID: return "it was called with a unit that it does not take";
    case AEGIS_UNSUPPORTED: return "it does not support this model";
    case AEGIS_LIMIT: return "it met a limit";
    case AEGIS_OUT_OF_MEMORY: return "it ran out of memory";
    default: return "it gave no reason";
  }
}

static void gather(aegis_cx& cx, const Suppressor& suppressor, Outcome& out) {
  for (Draft& draft : cx.drafts) {
    draft.suppression = suppressor.match(draft);
    out.drafts.push_back(std::move(draft));
  }
}

static Draft failed(const Rule& rule, std::string_view why) {
  return host_finding(host_rule(true), Severity::error,
                      fmt::format("{} {} failed and was ended for this file: {}", rule.code, rule.name, why));
}

// Checks unit after unit into `out`; what ended the rule before its last unit, if anything did.
static std::optional<Draft> check_units(const Rule& rule, const ViewState& view, const LintOptions& options,
                                        const Suppressor& suppressor, Clock::time_point file_deadline, Outcome& out) {
  const auto deadline = std::min(Clock::now() + options.rule_time, file_deadline);
  std::size_t next_fold = fold_every;
  for (const aegis_unit& unit : units_of(rule, view)) {
    aegis_cx cx{.view = view, .rule = rule, .options = options, .deadline = deadline};
    const aegis_status status = rule.abi->check(&api(), &cx, &unit);
    for (std::size_t i = 0; i < cx.absent.size(); ++i) out.absent[i] += cx.absent[i];
    out.log.insert(out.log.end(), cx.log.begin(), cx.log.end());
    if (cx.late() && deadline == file_deadline) {
      out.out_of_time = true;
      return std::nullopt;
    }
    if (cx.late()) {
      return host_finding(host_rule(false), Severity::error,
                          fmt::format("{} {} took longer than {} s and was stopped: its findings are not complete",
                                      rule.code, rule.name, options.rule_time.count()));
    }
    if (status != AEGIS_OK || cx.threw)
      return failed(rule, cx.failure.empty() ? status_text(status) : std::string_view(cx.failure));
    gather(cx, suppressor, out);
    if (out.drafts.size() >= next_fold) {
      fold(out.drafts);
      next_fold = out.drafts.size() + fold_every;
    }
  }
  return std::nullopt;
}

Draft out_of_time(const std::vector<const Rule*>& rules, const LintOptions& options) {
  return host_finding(host_rule(false), Severity::error,
                      fmt::format("the rules took longer than {} s: {} of them did not end, {} {} is the first; their "
                                  "findings are not complete",
                                  options.file_time.count(), rules.size(), rules[0]->code, rules[0]->name));
}

Outcome run_rule(const Rule& rule, const ViewState& view, const LintOptions& options, const Suppressor& suppressor,
                 Clock::time_point file_deadline) {
  Outcome out;
  std::optional<Draft> fault;
  try {
    fault = check_units(rule, view, options, suppressor, file_deadline, out);
  } catch (const std::exception& problem) {
    fault = failed(rule, problem.what());
  } catch (...) {
    fault = failed(rule, "an exception without a text");
  }
  fold(out.drafts);
  if (out.drafts.size() > options.max_findings) {
    const std::size_t rest = out.drafts.size() - options.max_findings;
    out.drafts.resize(options.max_findings);
    out.drafts.push_back(
        host_finding(host_rule(false), Severity::info,
                     fmt::format("{} {} has {} findings more than the limit of {}: they are not listed", rule.code,
                                 rule.name, rest, options.max_findings)));
  }
  if (fault) out.drafts.push_back(std::move(*fault));
  return out;
}

}  // namespace aegis::host
