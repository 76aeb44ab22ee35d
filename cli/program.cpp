#include "cli/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/help.hpp"
#include "cli/isolate.hpp"
#include "cli/limits.hpp"
#include "cli/option.hpp"
#include "cli/report.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "linter/match.hpp"
#include "linter/rule_book.hpp"
#include "model/save.hpp"

namespace aegis {
namespace {

Error usage(std::string message) {
  return Error{.fault = Fault::usage, .code = "", .message = std::move(message), .where = "", .notes = {}};
}

struct Printing {
  const ReportFormat* format = nullptr;
  std::string file;  // empty: standard output
};

Result<std::vector<Printing>> printings(const Settings& settings, const Command& command) {
  std::vector<Printing> result;
  bool on_output = false;
  for (const std::string& word : settings.list("format")) {
    const std::size_t equals = word.find('=');
    Printing printing{find_report_format(word.substr(0, equals)),
                      equals == std::string::npos ? "" : word.substr(equals + 1)};
    std::vector<std::string> names;
    for (const ReportFormat* format : report_formats()) names.emplace_back(format->name);
    if (!printing.format) {
      std::string expected;
      for (std::size_t i = 0; i < names.size(); ++i) expected += (i ? ", " : "") + names[i];
      return usage(fmt::format("--format is `{}`, expected one of {}{}", word.substr(0, equals), expected,
                               did_you_mean(word.substr(0, equals), names)));
    }
    const std::vector<std::string> served = split_list(printing.format->commands);
    if (!served.empty() && std::find(served.begin(), served.end(), command.name) == served.end())
      return usage(fmt::format("`aegis {}` has no report in the format {}, which is for {}; json and text are for all",
                               command.name, printing.format->name, printing.format->commands));
    if (equals != std::string::npos && printing.file.empty())
      return usage(fmt::format("--format is `{}`, expected a file name after `=`", word));
    if (printing.file == "-") printing.file.clear();
    if (printing.file.empty() && std::exchange(on_output, true))
      return usage("two formats for standard output, expected one; give the others a file: --format json=report.json");
    result.push_back(std::move(printing));
  }
  return result;
}

// A report may not land on a model, on the result, or on another report.
Result<void> check_report_files(const std::vector<Printing>& reports, const Settings& settings) {
  namespace fs = std::filesystem;
  const auto place = [](const std::string& path) {
    std::error_code problem;
    const fs::path whole = fs::weakly_canonical(path, problem);
    return problem ? fs::path(path) : whole;
  };
  std::set<fs::path> taken;
  for (const std::string& operand : settings.operands()) taken.insert(place(operand));
  if (const std::string output = settings.text("output"); !output.empty()) taken.insert(place(output));
  for (const Printing& report : reports) {
    std::error_code problem;
    if (report.file.empty() || (fs::exists(report.file, problem) && !fs::is_regular_file(report.file, problem)))
      continue;
    if (!taken.insert(place(report.file)).second)
      return usage(
          fmt::format("--format would write a report over `{}`, which this command reads or writes; give the "
                      "report another name",
                      report.file));
  }
  return {};
}

TextStyle style_of(const Settings& settings, const Io& io) {
  TextStyle style{.columns = io.columns, .colour = false};
  const std::string when = settings.text("color");
  const char* no_color = io.environment ? io.environment("NO_COLOR") : nullptr;
  style.colour = when == "always" || (when == "auto" && io.out_is_terminal && !(no_color && *no_color));
  return style;
}

// The program's rules, and those of the packs that --plugin names.
Result<Rules> rule_book(const Arguments& arguments) {
  auto book = std::make_shared<RuleBook>();
  if (auto packs = arguments.options.find("plugin"); packs != arguments.options.end())
    for (const std::string& path : packs->second) {
      AEGIS_TRY(auto pack, Pack::load(path));
      AEGIS_CHECK(book->add(std::move(pack)));
    }
  return Rules(std::move(book));
}

const char* variable(const Io& io, const char* name) {
  const char* value = io.environment ? io.environment(name) : nullptr;
  return value && *value ? value : nullptr;
}

Result<Config> project_configuration(const Arguments& arguments, Rules book, const Io& io) {
  if (auto given = arguments.options.find("config"); given != arguments.options.end())
    return read_config(given->second.back(), std::move(book));
  if (const char* named = variable(io, "AEGIS_CONFIG")) return read_config(named, std::move(book));
  const std::string nearest = find_config(".", variable(io, "HOME"));
  return nearest.empty() ? Config{.book = std::move(book)} : read_config(nearest, std::move(book));
}

Result<Config> configuration(const Arguments& arguments, Rules book, const Io& io) {
  AEGIS_TRY(Config config, project_configuration(arguments, std::move(book), io));
  const char* folder = variable(io, "XDG_CONFIG_HOME");
  const char* home = variable(io, "HOME");
  if (!folder && !home) return config;
  const std::string path =
      folder ? fmt::format("{}/aegis/config.toml", folder) : fmt::format("{}/.config/aegis/config.toml", home);
  AEGIS_TRY(config.user_limits, read_user_limits(path, *config.book));
  return config;
}

Result<void> finish_output(Io& io) {
  io.out->flush();
  if (*io.out) return {};
  return Error{.fault = Fault::file,
               .message = "standard output cannot be written; make room there, or keep its reader open"};
}

Result<void> print(const Json& document, const Printing& printing, const TextStyle& style, Io& io) {
  if (printing.file.empty()) {
    printing.format->write(document, style, *io.out);
    return finish_output(io);
  }
  std::ostringstream text;
  printing.format->write(document, TextStyle{.columns = style.columns, .colour = false}, text);
  return save_bytes(text.str(), printing.file, Overwrite::yes);
}

// The command, in a worker when it works on one file.
Result<Exit> run_command(const Command& command, const Settings& settings, Io& io, Json& document) {
  AEGIS_TRY(RunLimits limits, asked_limits(settings));
  if (!command.isolated || settings.flag("no-isolate")) return command.run(settings, io, document);
  if (std::ranges::find(command.options, "deadline") != command.options.end())  // runs models, for so long
    limits.worker.wall_seconds += static_cast<std::uint64_t>(std::clamp(settings.real("deadline"), 0.0, 1e9));
  Result<Exit> exit = run_isolated(command, settings, limits.worker, io, document);
  if (exit || exit.error().code != "IO908") return exit;
  Error error = std::move(exit).error();
  error.where = settings.operands()[0];
  if (!command.failed) return error;
  command.failed(settings, error, document);
  return Exit::internal;
}

Result<Exit> run_words(std::span<const std::string> words, Io& io) {
  AEGIS_TRY(const Arguments arguments, parse_arguments(words));
  const TextStyle plain{.columns = io.columns, .colour = false};
  if (arguments.version || arguments.help) {
    *io.out << (arguments.version   ? version_text()
                : arguments.command ? command_help(*arguments.command, plain)
                                    : program_help(plain));
    AEGIS_CHECK(finish_output(io));
    return Exit::clean;
  }

  AEGIS_TRY(Rules book, rule_book(arguments));
  AEGIS_TRY(Config config, configuration(arguments, std::move(book), io));
  AEGIS_TRY(const Settings settings, Settings::make(arguments, std::move(config), io));
  AEGIS_TRY(const std::vector<Printing> reports, printings(settings, *arguments.command));
  AEGIS_CHECK(check_report_files(reports, settings));

  Json document = new_document(arguments.command->name);
  if (!settings.rules().packs().empty()) document["packs"] = packs_json(settings.rules());
  AEGIS_TRY(Exit exit, run_command(*arguments.command, settings, io, document));
  if (exit == Exit::interrupted) {
    *io.err << "interrupted: there is no report\n";
    return exit;
  }
  document["exit_code"] = static_cast<int>(exit);
  for (const Printing& printing : reports) AEGIS_CHECK(print(document, printing, style_of(settings, io), io));
  return exit;
}

Error fault_of(std::string_view what) {
  return Error{.fault = Fault::internal,
               .message = fmt::format("aegis met an error that it does not handle: {}, expected a result or a reason; "
                                      "please report the command line and the model",
                                      what)};
}

// Nothing throws on purpose: what comes here is memory that is not there, or a fault of aegis or of a library.
Result<Exit> run_guarded(std::span<const std::string> words, Io& io) {
  try {
    return run_words(words, io);
  } catch (const std::bad_alloc&) {
    return fault_of("the memory is used up");
  } catch (const std::exception& problem) {
    return fault_of(problem.what());
  }
}

}  // namespace

Exit run_program(std::span<const std::string> words, Io& io) {
  Result<Exit> exit = run_guarded(words, io);
  if (exit) return *exit;
  *io.err << error_text(exit.error());
  io.err->flush();
  return exit_of(exit.error().fault);
}

const Command* find_command(std::string_view name) {
  for (const Command* command : commands())
    if (command->name == name) return command;
  return nullptr;
}

const ReportFormat* find_report_format(std::string_view name) {
  for (const ReportFormat* format : report_formats())
    if (format->name == name) return format;
  return nullptr;
}

}  // namespace aegis
