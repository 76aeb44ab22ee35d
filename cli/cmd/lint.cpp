// aegis lint: what the rules find in each model, and whether a gate fails.
#include <fmt/format.h>

#include <fstream>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/lint_document.hpp"
#include "cli/lint_text.hpp"
#include "cli/settings.hpp"
#include "cli/walk.hpp"
#include "exec/run.hpp"
#include "linter/rules.hpp"

using namespace aegis;

namespace {

// The [budgets] that the profile answers: what was measured, over all models the worst.
std::optional<double> budget_actual(std::string_view name, const Profile& profile) {
  if (name == "misaligned_flops_percent") return profile.misaligned_flops_percent;
  if (name == "memory_bound_time_percent") return profile.memory_bound_percent;
  if (name == "cast_count") return static_cast<double>(profile.cast_count);
  return std::nullopt;
}

// Counts over all models, and the gates.
class Summary {
 public:
  explicit Summary(const std::string& fail_on) : gate_(severity_from_name(fail_on).value_or(Severity::off)) {}

  void add(const LintResult& result, const LintOptions& options) {
    ++files_;
    for (const Finding& finding : result.findings) {
      if (finding.suppressed) {
        ++suppressed_;
        continue;
      }
      ++counts_[finding.severity];
      if (gate_ != Severity::off && finding.severity >= gate_) exit_ = worst(exit_, Exit::gate);
    }
    for (const auto& [name, limit] : options.budgets) {
      Budget& budget = budgets_[name];
      budget.limit = limit;
      if (auto actual = budget_actual(name, result.profile))
        budget.actual = std::max(budget.actual.value_or(*actual), *actual);
      if (budget.actual && *budget.actual > limit) budget.ok = false;
      if (budget.ok == false) exit_ = worst(exit_, Exit::gate);
    }
    std::set<std::string> stale;
    for (const StaleSuppression& entry : result.stale_suppressions) {
      stale.insert(entry.suppression.origin);
      stale_.emplace(entry.suppression.origin, entry);
    }
    for (const Suppression& entry : options.suppressions)
      if (!stale.contains(entry.origin)) used_.insert(entry.origin);
  }
  void add(const Error& error) {
    ++files_;
    ++counts_[Severity::error];
    exit_ = worst(exit_, exit_of(error.fault));
  }
  void skip_pointer() { ++pointers_; }

  Exit exit() const { return exit_; }
  Json json() {
    Json json{{"errors", counts_[Severity::error]},
              {"warnings", counts_[Severity::warning]},
              {"infos", counts_[Severity::info]},
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

 private:
  struct Budget {
    double limit = 0;
    std::optional<double> actual;
    bool ok = true;
  };
  Severity gate_;
  Exit exit_ = Exit::clean;
  std::map<Severity, std::size_t> counts_;
  std::size_t suppressed_ = 0, files_ = 0, pointers_ = 0;
  std::map<std::string, Budget> budgets_;
  std::map<std::string, StaleSuppression> stale_;
  std::set<std::string> used_;
};

// Operands, and the lines of --files-from.
Result<std::vector<std::string>> asked_operands(const Settings& settings, Io& io) {
  std::vector<std::string> operands = settings.operands();
  const std::string list = settings.text("files-from");
  if (list.empty()) {
    if (!operands.empty()) return operands;
    return Error{.fault = Fault::usage, .message = "`aegis lint` got no model, expected MODEL|DIR... or --files-from"};
  }
  std::ifstream file;
  if (list != "-") file.open(list);
  std::istream* lines = list == "-" ? io.in : &file;
  if (!lines || !*lines)
    return Error{
        .fault = Fault::file, .message = "the list of files cannot be read; name a readable one", .where = list};
  for (std::string line; std::getline(*lines, line);)
    if (!line.empty()) operands.push_back(line);
  return operands;
}

Result<void> lint_file(const ModelFile& file, const Settings& all, const CpuEvaluator& evaluator, Io& io, Json& models,
                       Summary& summary) {
  const Settings settings = all.for_model(file.path);
  AEGIS_TRY(const Binding binding, asked_binding(settings));
  AEGIS_TRY(const std::vector<Target> targets, asked_targets(settings));
  AEGIS_TRY(const LintOptions options, asked_lint(settings, targets, &evaluator));
  Result<Model> model = load_asked(file.path, io);
  if (!model) {
    if (model.error().code == "IO902" && !file.named) {
      summary.skip_pointer();
      return {};
    }
    models.push_back(lint_error_json(file.path, model.error()));
    summary.add(model.error());
    return {};
  }
  if (file.named) AEGIS_CHECK(check_asked_names(settings, *model));  // a walk meets models that lack a name
  Result<LintResult> result = lint(*model, binding, options);
  if (!result) {
    if (result.error().fault == Fault::usage) return std::move(result).error();
    models.push_back(lint_error_json(file.path, result.error()));
    summary.add(result.error());
    return {};
  }
  models.push_back(lint_json(file.path, *result));
  summary.add(*result, options);
  return {};
}

Result<Exit> run(const Settings& settings, Io& io, Json& document) {
  AEGIS_TRY(const std::vector<std::string> operands, asked_operands(settings, io));
  AEGIS_TRY(const std::vector<ModelFile> files, model_files(operands));
  AEGIS_TRY(const std::vector<Target> targets, asked_targets(settings));
  AEGIS_TRY(const LintOptions options, asked_lint(settings, targets, nullptr));
  AEGIS_CHECK(check_options(options));  // before the first file, which may not be readable
  *io.err << default_target_note(settings);
  const CpuEvaluator evaluator;
  Summary summary(settings.text("fail-on"));
  Json& models = document["models"] = Json::array();
  for (const ModelFile& file : files) AEGIS_CHECK(lint_file(file, settings, evaluator, io, models, summary));
  document["summary"] = summary.json();
  return summary.exit();
}

constexpr std::string_view options[] = {"target",  "devices",   "runtime",   "as",      "bind",
                                        "shapes",  "no-assume", "range",     "select",  "ignore",
                                        "preview", "weights",   "calibrate", "fail-on", "files-from"};

}  // namespace

AEGIS_COMMAND(lint) = {.name = "lint",
                       .operands = "MODEL|DIR...",
                       .summary = "what the rules find; never reads weights unless a rule asks",
                       .detail = "Folders are searched for *.onnx. Equal layers are one finding.",
                       .order = 10,
                       .min_operands = 0,
                       .max_operands = -1,
                       .options = options,
                       .run = run,
                       .text = lint_text};
