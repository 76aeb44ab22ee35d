// aegis lint: what the rules find in each model, and whether a gate fails.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/limits.hpp"
#include "cli/lint_file.hpp"
#include "cli/lint_summary.hpp"
#include "cli/lint_text.hpp"
#include "cli/progress.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "cli/walk.hpp"
#include "cli/worker/pool.hpp"

using namespace aegis;

namespace {

// The names that --files-from gives.
Result<std::vector<std::string>> listed_files(const Settings& settings, Io& io) {
  const std::string list = settings.text("files-from");
  if (list.empty()) return std::vector<std::string>();
  if (list == "-" && std::ranges::find(settings.operands(), "-") != settings.operands().end())
    return Error{.fault = Fault::usage,
                 .message =
                     "standard input is given as a model and as a list, expected one of them; put the list "
                     "into a file"};
  std::ifstream file;
  if (list != "-") file.open(list, std::ios::binary);
  std::istream* lines = list == "-" ? io.in : &file;
  std::string text;
  if (lines && *lines) text.assign(std::istreambuf_iterator<char>(*lines), std::istreambuf_iterator<char>());
  if (!lines || lines->bad() || (list != "-" && !file.is_open()))
    return Error{
        .fault = Fault::file, .message = "the list of files cannot be read; name a readable one", .where = list};
  return split_file_list(text);
}

Result<ModelFiles> asked_files(const Settings& settings, Io& io) {
  if (settings.operands().empty() && settings.text("files-from").empty())
    return Error{.fault = Fault::usage, .message = "`aegis lint` got no model, expected MODEL|DIR... or --files-from"};
  AEGIS_TRY(const std::vector<std::string> listed, listed_files(settings, io));
  ModelFiles found = model_files(settings.operands(), listed);
  if (settings.flag("quiet")) return found;
  for (const std::string& folder : found.empty)
    *io.err << fmt::format("note: {} holds no *.onnx file; other names have to be given one by one\n",
                           printable(folder));
  if (found.files.empty() && found.empty.empty()) *io.err << "note: the list names no file, so nothing is checked\n";
  return found;
}

// Lints in workers, as many as there are jobs. The outcome has the order of the files, whoever was first. Nothing: the
// run was interrupted.
std::optional<std::vector<LintedFile>> lint_in_workers(const std::vector<ModelFile>& files, const FileLinter& linter,
                                                       const RunLimits& limits, const Settings& settings, Io& io) {
  std::vector<LintedFile> linted(files.size());
  Progress progress(settings, io, files.size(), "files");
  const bool whole = run_in_workers(
      {.jobs = files.size(),
       .workers = asked_threads(settings),
       .limits = limits.worker,
       .work =
           [&](std::size_t i, const EnterPhase& enter) {
             Io inner = io;
             inner.enter = enter;
             return pack(linter.lint(files[i], inner));
           },
       .done =
           [&](std::size_t i, Result<std::string> answer) {
             if (answer) {
               std::optional<LintedFile> file = unpack_linted(*answer);
               if (file) {
                 linted[i] = *std::move(file);
                 return progress.done();
               }
               answer = Error{.fault = Fault::internal, .code = "IO908", .message = "the worker's answer is no result"};
             }
             Error error = std::move(answer).error();
             error.where = files[i].path;
             linted[i] = not_linted(files[i].path, error);
             progress.done();
           },
       .tick = [&] { progress.show(); }});
  return whole ? std::optional(std::move(linted)) : std::nullopt;
}

Result<Exit> run(const Settings& settings, Io& io, Json& document) {
  AEGIS_TRY(const ModelFiles found, asked_files(settings, io));
  AEGIS_TRY(const RunLimits limits, asked_limits(settings));
  const bool isolated = !settings.flag("no-isolate");
  const int jobs = asked_threads(settings);
  const int side_by_side =
      isolated ? static_cast<int>(std::clamp<std::size_t>(found.files.size(), 1, static_cast<std::size_t>(jobs))) : 1;
  AEGIS_TRY(const FileLinter linter, FileLinter::make(settings, std::max(jobs / side_by_side, 1)));
  *io.err << default_target_note(settings);
  io.err->flush();

  std::vector<LintedFile> linted;
  if (isolated) {
    auto all = lint_in_workers(found.files, linter, limits, settings, io);
    if (!all) return Exit::interrupted;
    linted = *std::move(all);
  } else {
    for (const ModelFile& file : found.files) linted.push_back(linter.lint(file, io));
  }

  LintSummary summary(settings.text("fail-on"));
  Json& models = document["models"] = Json::array();
  for (LintedFile& file : linted) {
    if (file.misuse) return *std::move(file.misuse);
    summary.add(file);
    if (file.model) models.push_back(std::move(*file.model));
  }
  document["summary"] = summary.json();
  return summary.exit();
}

constexpr std::string_view options[] = {
    "target",  "devices", "runtime", "as",      "bind",      "shapes",  "no-assume",  "range",
    "select",  "ignore",  "preview", "weights", "calibrate", "fail-on", "files-from", "external-data-policy",
    "pointers"};

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
