#include "cli/lint_file.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/document.hpp"
#include "cli/lint_document.hpp"
#include "cli/worker/message.hpp"
#include "exec/run.hpp"
#include "linter/rules.hpp"
#include "model/out_of_memory.hpp"

namespace aegis {
namespace {

// The [budgets] that the profile answers.
std::optional<double> budget_actual(std::string_view name, const Profile& profile) {
  if (name == "misaligned_flops_percent") return profile.misaligned_flops_percent;
  if (name == "memory_bound_time_percent") return profile.memory_bound_percent;
  if (name == "cast_count") return static_cast<double>(profile.cast_count);
  return std::nullopt;
}

LintedFile linted(const std::string& path, const LintResult& result, const LintOptions& options) {
  LintedFile file{.model = std::make_shared<Json>(lint_json(path, result))};
  for (const auto& [name, limit] : options.budgets)
    file.budgets[name] = {.limit = limit, .actual = budget_actual(name, result.profile)};
  file.stale = result.stale_suppressions;
  std::set<std::string> unused;
  for (const StaleSuppression& entry : file.stale) unused.insert(entry.suppression.origin);
  for (const Suppression& entry : options.suppressions)
    if (!unused.contains(entry.origin)) file.used.push_back(entry.origin);
  return file;
}

Json number_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace

// Everything that the settings say about files, in the form that the linter takes. The options point to the targets and
// to the evaluator beside them.
struct FileLinter::Ready {
  Settings settings;
  CpuEvaluator evaluator;
  Binding binding;
  std::vector<Target> targets;
  LintOptions options;
};

Result<std::shared_ptr<const FileLinter::Ready>> FileLinter::ready(const Settings& settings, int threads) {
  auto made = std::make_shared<Ready>(Ready{.settings = settings});
  AEGIS_TRY(made->binding, asked_binding(settings));
  AEGIS_TRY(made->targets, asked_targets(settings));
  AEGIS_TRY(made->options, asked_lint(settings, made->targets, &made->evaluator));
  made->options.threads = threads;
  AEGIS_CHECK(check_options(made->options));
  return std::shared_ptr<const Ready>(std::move(made));
}

Result<FileLinter> FileLinter::make(const Settings& settings, int threads) {
  AEGIS_TRY(std::shared_ptr<const Ready> base, ready(settings, threads));
  return FileLinter(std::move(base), settings, threads);
}

LintedFile FileLinter::lint(const ModelFile& file, Io& io) const {
  if (file.error) return not_linted(file.path, *file.error);
  std::shared_ptr<const Ready> with = base_;
  if (!settings_->config().overrides.empty()) {
    Result<std::shared_ptr<const Ready>> own = ready(settings_->for_model(file.path), threads_);
    if (!own) return LintedFile{.misuse = own.error()};
    with = *std::move(own);
  }
  enter(io, Phase::loading);
  Result<Model> model = load_asked(file.path, with->settings, io);
  if (!model) {
    const std::string pointers = with->settings.text("pointers");
    const bool skip = pointers == "skip" || (pointers == "resolve" && !file.named);
    if (model.error().code == "IO902" && skip) return {};
    return not_linted(file.path, model.error());
  }
  if (file.named)  // a walk meets models that lack a name
    if (Result<void> checked = check_asked_names(with->settings, *model); !checked)
      return LintedFile{.misuse = checked.error()};
  enter(io, Phase::linting);
  Result<LintResult> result = aegis::lint(*model, with->binding, with->options);
  if (!result)
    return result.error().fault == Fault::usage ? LintedFile{.misuse = result.error()}
                                                : not_linted(file.path, result.error());
  enter(io, Phase::reporting);
  return linted(file.path, *result, with->options);
}

LintedFile not_linted(const std::string& path, const Error& error) {
  throw_if_out_of_memory(error);
  return LintedFile{.model = std::make_shared<Json>(lint_error_json(path, error)), .error = error};
}

std::string pack(const LintedFile& file) {
  Json packed{{"model", file.model ? *file.model : Json(nullptr)},
              {"error", file.error ? pack_error(*file.error) : Json(nullptr)},
              {"misuse", file.misuse ? pack_error(*file.misuse) : Json(nullptr)},
              {"budgets", Json::array()},
              {"stale", Json::array()},
              {"used", file.used}};
  for (const auto& [name, budget] : file.budgets)
    packed["budgets"].push_back(Json{name, budget.limit, number_json(budget.actual)});
  for (const StaleSuppression& entry : file.stale)
    packed["stale"].push_back(
        Json{entry.suppression.rule, entry.suppression.node, entry.suppression.origin, entry.expired});
  return pack(packed);
}

std::optional<LintedFile> unpack_linted(std::string_view bytes) {
  std::optional<Json> packed = unpack(bytes);
  if (!packed) return std::nullopt;
  try {
    LintedFile file;
    if (Json& model = packed->at("model"); !model.is_null()) file.model = std::make_shared<Json>(std::move(model));
    if (const Json& error = packed->at("error"); !error.is_null()) file.error = unpack_error(error);
    if (const Json& misuse = packed->at("misuse"); !misuse.is_null()) file.misuse = unpack_error(misuse);
    for (const Json& row : packed->at("budgets")) {
      LintedFile::Budget& budget = file.budgets[row.at(0)];
      budget.limit = row.at(1);
      if (!row.at(2).is_null()) budget.actual = row.at(2).get<double>();
    }
    for (const Json& row : packed->at("stale"))
      file.stale.push_back(
          {.suppression = {.rule = row.at(0), .node = row.at(1), .reason = {}, .expires = {}, .origin = row.at(2)},
           .expired = row.at(3)});
    file.used = packed->at("used");
    return file;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace aegis
