// aegis rewrite: load, lint, plan, apply, validate, save, report.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/asked_rewrite.hpp"
#include "cli/command.hpp"
#include "cli/diff.hpp"
#include "cli/document.hpp"
#include "cli/loads_in.hpp"
#include "cli/rewrite_document.hpp"
#include "cli/rewrite_text.hpp"
#include "cli/settings.hpp"
#include "cli/validation_document.hpp"
#include "exec/run.hpp"
#include "model/load.hpp"
#include "model/save.hpp"

using namespace aegis;

namespace {

constexpr double max_auto_seconds = 60;

// What rules keep wide in a recast: those that aegis.toml does not switch off, suppressions taken into account.
Result<void> add_pins(const Model& model, const Settings& settings, std::span<const Target> targets,
                      const Binding& binding, const Evaluator& evaluator, PrecisionOptions& precision) {
  AEGIS_TRY(LintOptions options, asked_lint(settings, targets, &evaluator));
  options.as = {compute_of(precision.to)};
  AEGIS_TRY(const std::vector<Pin> pins, recast_pins(model, binding, options));
  for (const Pin& pin : pins) {
    if (pin.node != NodeId::none) {
      precision.pins.emplace_back(pin.node, pin.code);
    } else {
      precision.value_pins.emplace_back(pin.value, pin.code);
    }
  }
  return {};
}

// The promise that the stages of an outcome make together.
ChangeClass promise_of(const RewriteRequest& request, const RewriteOutcome& outcome) {
  if (outcome.safety == Safety::lossy)
    return request.precision.to == DType::bf16 ? ChangeClass::bf16 : ChangeClass::f16;
  if (outcome.safety == Safety::exact) return ChangeClass::exact;
  return outcome.same_bits ? ChangeClass::same : ChangeClass::rescaled;
}

// Stages left when the last one that changed anything is taken back; what was only prepared for it goes too.
std::size_t one_less(const RewriteOutcome& outcome, std::size_t count) {
  while (count > 0 && outcome.stages[count - 1].output.patches.empty()) --count;
  if (count > 0) --count;
  while (count > 0 && (outcome.stages[count - 1].output.patches.empty() || prepares(outcome.stages[count - 1])))
    --count;
  return count;
}

struct Judged {
  RewriteOutcome outcome;
  std::optional<Validation> validation;
  std::string not_validated;         // why nothing was validated although something changed
  std::vector<std::string> dropped;  // passes whose change failed its gate
  bool may_save = true;
  Exit exit = Exit::clean;
};

// Runs both models as --check asks. A change that fails its gate is taken back, and what is left is judged again.
Result<Judged> judge(const Model& before, RewriteOutcome outcome, const RewriteRequest& request,
                     const Settings& settings) {
  const std::string when = settings.text("check");
  Judged judged{.outcome = std::move(outcome),
                .validation = {},
                .not_validated = {},
                .dropped = {},
                .may_save = true,
                .exit = Exit::clean};
  if (!judged.outcome.changed) return judged;
  if (when == "never") {
    judged.not_validated = "--check never was given";
    return judged;
  }
  AEGIS_TRY(ValidateOptions options, asked_validation(settings));
  if (when == "auto") {
    const std::optional<double> seconds = estimate_cpu_seconds(before, judged.outcome.model, options);
    if (seconds && *seconds > max_auto_seconds) {
      judged.not_validated =
          fmt::format("it would take about {:.0f} s on the cpu engine; --check always runs it", *seconds);
      return judged;
    }
    options.deadline_s = std::min(options.deadline_s, max_auto_seconds);  // the estimate may not be known, or wrong
  }
  while (judged.outcome.changed) {
    options.change = promise_of(request, judged.outcome);
    AEGIS_TRY(Validation validation, validate(before, judged.outcome.model, options));
    const Exit exit = exit_of(validation.verdict);
    const bool inconclusive =
        validation.verdict == Verdict::degenerate || validation.reason == "not_run" || validation.reason == "deadline";
    std::string detail = validation.detail;
    if (!judged.validation || exit == Exit::clean) judged.validation = std::move(validation);
    if (exit == Exit::clean) return judged;
    if (when == "always") {
      judged.exit = Exit::validation;
      judged.may_save = false;
      return judged;
    }
    if (inconclusive) {
      judged.not_validated = detail.empty() ? "the verdict is inconclusive" : detail;
      return judged;
    }
    judged.exit = Exit::validation;
    const std::size_t left = one_less(judged.outcome, judged.outcome.stages.size());
    for (std::size_t i = left; i < judged.outcome.stages.size(); ++i)
      if (!judged.outcome.stages[i].output.patches.empty()) judged.dropped.push_back(judged.outcome.stages[i].pass);
    judged.outcome = first_stages(before, judged.outcome, left);
  }
  judged.may_save = false;
  return judged;
}

struct Job {
  const Settings& settings;
  Io& io;
  const std::string& path;
  const RewriteRequest request;
  const Destination destination;
};

Result<Exit> rewrite_file(const Job& job, Json& entry) {
  const Settings& settings = job.settings;
  enter(job.io, Phase::loading);
  AEGIS_TRY(Model before, load_asked(job.path, settings, job.io));
  AEGIS_CHECK(check_asked_names(settings, before));
  AEGIS_TRY(const Binding binding, asked_binding(settings));
  AEGIS_TRY(const std::vector<Target> targets, asked_targets(settings));
  const CpuEvaluator evaluator;

  enter(job.io, Phase::planning);
  RewriteRequest request = job.request;
  if (request.precision.to != DType::undefined)
    AEGIS_CHECK(add_pins(before, settings, targets, binding, evaluator, request.precision));
  AEGIS_TRY(RewriteOutcome outcome, rewrite(before, binding, &targets.front(), evaluator, request));
  if (outcome.changed && settings.text("check") != "never") enter(job.io, Phase::validating);
  AEGIS_TRY(const Judged judged, judge(before, std::move(outcome), request, settings));

  entry = rewrite_json(job.path, before, request, judged.outcome);
  add_loads_in(judged.outcome.model, binding, judged.outcome.changed && settings.text("check") != "never", entry);
  if (judged.validation) entry["validation"] = validation_json(*judged.validation);
  entry["not_validated"] = judged.not_validated.empty() ? Json(nullptr) : Json(judged.not_validated);
  entry["dropped"] = judged.dropped;
  entry["asked"] = Json{
      {"pad", request.pad ? Json(settings.text("pad")) : Json(nullptr)},
      {"to", request.precision.to == DType::undefined ? Json(nullptr)
                                                      : Json(request.precision.to == DType::bf16 ? "bf16" : "fp16")},
      {"target", targets.front().id},
      {"runtime", settings.text("runtime")}};
  if (settings.flag("diff")) entry["diff"] = line_diff(print_text(before), print_text(judged.outcome.model));
  bool all_there = true;
  if (judged.may_save && !job.destination.path.empty()) {
    enter(job.io, Phase::saving);
    AEGIS_TRY(const Saved saved, save(judged.outcome.model, job.destination.path, job.destination.options));
    add_saved(saved, job.destination.path, entry);
    all_there = saved.not_copied.empty();
  }
  entry["file_bytes_before"] = before.file_bytes();
  return judged.exit == Exit::clean && !all_there ? exit_of(Fault::file) : judged.exit;
}

Result<Exit> run(const Settings& all, Io& io, Json& document) {
  const std::string& path = all.operands()[0];
  const Settings settings = all.for_model(path);
  AEGIS_TRY(RewriteRequest request, asked_rewrite(settings));
  AEGIS_TRY(const Destination destination, asked_destination(settings, path));
  *io.err << default_target_note(settings);

  Json entry;
  Result<Exit> exit = rewrite_file(Job{settings, io, path, std::move(request), destination}, entry);
  if (!exit) {
    if (exit.error().fault == Fault::usage) return exit;
    entry = rewrite_error_json(path, exit.error());
    if (exit.error().code.starts_with("ST"))
      exit = Exit::gate;
    else
      exit = exit_of(exit.error().fault);
  }
  document["models"] = Json::array({std::move(entry)});
  return exit;
}

void failed(const Settings& settings, const Error& error, Json& document) {
  document["models"] = Json::array({rewrite_error_json(settings.operands()[0], error)});
}

constexpr std::string_view options[] = {"output",
                                        "in-place",
                                        "force",
                                        "external-data",
                                        "allow-growth",
                                        "dry-run",
                                        "diff",
                                        "pad",
                                        "pad-to",
                                        "bf16",
                                        "fp16",
                                        "keep",
                                        "max-opset",
                                        "accept",
                                        "check",
                                        "target",
                                        "devices",
                                        "runtime",
                                        "bind",
                                        "shapes",
                                        "no-assume",
                                        "range",
                                        "engine",
                                        "inputs",
                                        "labels",
                                        "sets",
                                        "seed",
                                        "min-snr",
                                        "max-rel-l2",
                                        "min-top1",
                                        "external-data-policy",
                                        "pointers",
                                        "deadline",
                                        "max-host-mem"};

}  // namespace

AEGIS_COMMAND(rewrite) = {
    .name = "rewrite",
    .operands = "MODEL -o OUT",
    .summary = "pad and recast a model, run both versions, write the result",
    .detail =
        "A model that needs no change is copied byte for byte. A change that fails its check is dropped, and said so.",
    .order = 20,
    .options = options,
    .run = run,
    .isolated = true,
    .failed = failed,
    .text = rewrite_text};
