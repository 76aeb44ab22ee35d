// The life of a lint: views, rules over each view, silences, severities, one list. Rules may run side by side; what
// they report is put together in the order of the rules and of the file, so the result does not depend on the threads.
#include "linter/lint.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <thread>

#include "linter/host/report.hpp"
#include "linter/host/run.hpp"
#include "linter/load_findings.hpp"
#include "linter/profile.hpp"
#include "linter/selection.hpp"
#include "linter/settle.hpp"
#include "linter/suppress.hpp"
#include "model/out_of_memory.hpp"

namespace aegis {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::off: return "off";
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: break;
  }
  return "error";
}

std::string_view name(Certainty certainty) {
  switch (certainty) {
    case Certainty::certain: return "certain";
    case Certainty::possible: return "possible";
    case Certainty::seen: return "seen";
    case Certainty::unstated: break;
  }
  return {};
}

std::string_view name(Confidence confidence) {
  switch (confidence) {
    case Confidence::low: return "low";
    case Confidence::medium: return "medium";
    case Confidence::high: return "high";
    case Confidence::none: break;
  }
  return {};
}

std::optional<Severity> severity_from_name(std::string_view text) {
  for (const Severity severity : {Severity::off, Severity::info, Severity::warning, Severity::error}) {
    if (name(severity) == text) return severity;
  }
  return std::nullopt;
}

std::optional<Runtime> runtime_from_name(std::string_view text) {
  static constexpr std::pair<std::string_view, Runtime> names[] = {{"any", Runtime::any},
                                                                   {"schema", Runtime::schema},
                                                                   {"ort-cpu", Runtime::ort_cpu},
                                                                   {"ort-cuda", Runtime::ort_cuda},
                                                                   {"tensorrt", Runtime::tensorrt}};
  const auto* found = std::ranges::find(names, text, &std::pair<std::string_view, Runtime>::first);
  return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

namespace {

struct Run {
  std::vector<host::Draft> drafts;  // of all views, merged
  host::Absences absent{};
  Coverage coverage;
  Profile profile;
};

std::vector<host::Outcome> run_rules(std::span<const Rule* const> rules, const host::ViewState& view,
                                     const LintOptions& options, const Suppressor& suppressor,
                                     host::Clock::time_point deadline) {
  std::vector<host::Outcome> out(rules.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> no_memory = false;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < rules.size(); i = next++) {
        out[i] = host::run_rule(*rules[i], view, options, suppressor, deadline);
      }
    } catch (const std::bad_alloc&) {
      no_memory = true;  // said by the thread that asked
    }
  };
  const std::size_t threads =
      std::min<std::size_t>(static_cast<std::size_t>(std::max(options.threads, 1)), rules.size());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();  // joins
  if (no_memory) throw std::bad_alloc();
  std::vector<const Rule*> stopped;
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (out[i].out_of_time) stopped.push_back(rules[i]);
  if (!stopped.empty()) out.back().drafts.push_back(host::out_of_time(stopped, options));
  return out;
}

View view_of(const LintOptions& options, Compute planned, bool assumed, std::size_t index, std::size_t count) {
  View view;
  view.planned = planned;
  view.tf32 = options.tf32;
  view.runtime = static_cast<std::uint32_t>(options.runtime);
  view.old_library = options.old_library;
  view.weights = options.weights;
  view.data = options.data;
  view.assumed = assumed;
  view.index = static_cast<std::uint32_t>(index);
  view.count = static_cast<std::uint32_t>(count);
  return view;
}

// The drafts of one view, settled but for the merge with other views.
std::vector<host::Draft> settle(std::vector<host::Outcome> outcomes, const LintOptions& options, const Target& target,
                                Compute planned) {
  std::vector<host::Draft> drafts;
  for (host::Outcome& outcome : outcomes) {
    drafts.insert(drafts.end(), std::make_move_iterator(outcome.drafts.begin()),
                  std::make_move_iterator(outcome.drafts.end()));
  }
  silence(drafts);
  for (host::Draft& draft : drafts) {
    settle_severity(draft, options);
    if (draft.rule->target_free || !draft.rule->abi) continue;
    draft.targets = {target.id};
    if (planned != 0) draft.as = {std::string(compute_name(planned))};
  }
  return drafts;
}

Run run_views(const Model& model, const Binding& binding, const LintOptions& options,
              std::span<const Rule* const> rules, const Suppressor& suppressor) {
  const auto deadline = host::Clock::now() + options.file_time;
  const TypeTable types = infer(model, binding);
  const bool assumed = std::ranges::any_of(types.symbols, [](const Symbol& s) { return s.assumed.has_value(); });
  const std::vector<Compute> as = options.as.empty() ? std::vector<Compute>{0} : options.as;
  const std::size_t count = options.targets.size() * as.size();
  std::vector<const Rule*> bound_rules;
  std::ranges::copy_if(rules, std::back_inserter(bound_rules), [](const Rule* rule) { return !rule->target_free; });
  Run run;
  std::size_t index = 0;
  for (const Target* target : options.targets) {
    for (const Compute planned : as) {
      FactTable facts(model, types, *target, view_of(options, planned, assumed, index, count), options.evaluator);
      const host::ViewState view(facts);
      if (index == 0) {
        run.coverage = coverage_of(view);
        run.profile = profile_of(view);
      }
      auto outcomes = run_rules(index == 0 ? rules : std::span<const Rule* const>(bound_rules), view, options,
                                suppressor, deadline);
      for (const host::Outcome& outcome : outcomes) {
        for (std::size_t i = 0; i < outcome.absent.size(); ++i) run.absent[i] += outcome.absent[i];
      }
      auto drafts = settle(std::move(outcomes), options, *target, planned);
      std::ranges::move(drafts, std::back_inserter(run.drafts));
      ++index;
    }
  }
  if (count > 1) merge_views(run.drafts);
  return run;
}

// Errors first; then by how sure the gain is, by share of time, and by place.
void rank(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    const auto confidence = [](const Finding& f) { return f.gain ? f.gain->confidence : Confidence::none; };
    if (confidence(a) != confidence(b)) return confidence(a) > confidence(b);
    const auto share = [](const Finding& f) { return f.gain ? f.gain->time_percent.value_or(0) : 0; };
    if (share(a) != share(b)) return share(a) > share(b);
    if (a.anchor.scope_id != b.anchor.scope_id) return a.anchor.scope_id < b.anchor.scope_id;
    return a.anchor.node_id < b.anchor.node_id;
  });
}

void accept_baseline(std::vector<Finding>& findings, const LintOptions& options) {
  for (Finding& finding : findings) {
    if (finding.suppressed || !options.baseline.contains(finding.fingerprint)) continue;
    finding.suppressed = Suppressed{.by = "baseline", .reason = "accepted earlier"};
  }
}

std::vector<StaleSuppression> stale(const Suppressor& suppressor, std::span<const host::Draft> drafts) {
  std::vector<bool> used(suppressor.all().size());
  for (const host::Draft& draft : drafts) {
    if (draft.suppression) used[*draft.suppression] = true;
  }
  std::vector<StaleSuppression> out;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) out.push_back({.suppression = suppressor.all()[i], .expired = suppressor.expired(i)});
  }
  return out;
}

Result<void> check(const LintOptions& options) {
  AEGIS_CHECK(check_options(options));
  if (!options.targets.empty()) return {};
  return Error{.fault = Fault::usage,
               .code = {},
               .message = "no target is given, expected at least one device: name one with --target",
               .where = "target",
               .notes = {}};
}

}  // namespace

static Result<LintResult> lint_model(const Model& model, const Binding& binding, const LintOptions& options) {
  AEGIS_CHECK(check(options));
  const Suppressor suppressor(model, options);
  Run run = run_views(model, binding, options, selected_rules(options), suppressor);
  LintResult result;
  result.findings = host::findings_of(model, run.drafts, suppressor);
  accept_baseline(result.findings, options);
  std::ranges::move(load_findings_of(model), std::back_inserter(result.findings));
  rank(result.findings);
  result.pins = host::pins_of(result.findings);
  result.coverage = std::move(run.coverage);
  for (aegis_absence why = AEGIS_UNKNOWN_DIM; why <= AEGIS_OVER_LIMIT; ++why) {
    if (run.absent[why] > 0) result.coverage.absent[std::string(absence_name(why))] = run.absent[why];
  }
  result.profile = run.profile;
  result.stale_suppressions = stale(suppressor, run.drafts);
  return result;
}

Result<LintResult> lint(const Model& model, const Binding& binding, const LintOptions& options) {
  return guarded([&] { return lint_model(model, binding, options); });
}

Result<std::vector<Pin>> recast_pins(const Model& model, const Binding& binding, const LintOptions& options) {
  AEGIS_CHECK(check(options));
  LintOptions all = options;
  all.weights = true;
  all.max_findings = SIZE_MAX;
  const Suppressor suppressor(model, all);
  const Run run = run_views(model, binding, all, pinning_rules(all), suppressor);
  return host::pins_of(host::findings_of(model, run.drafts, suppressor));
}

}  // namespace aegis
