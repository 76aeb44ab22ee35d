#include "cli/asked.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <fstream>
#include <istream>
#include <iterator>
#include <sstream>
#include <thread>

#include "cli/limits.hpp"
#include "cli/option.hpp"
#include "model/load.hpp"

namespace aegis {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Error wrong(const Settings& settings, std::string_view option, std::string_view word, std::string_view expected) {
  return Error{.fault = Fault::usage,
               .message = fmt::format("--{} holds `{}`, expected {}", option, word, expected),
               .where = settings.origin(option) == "command line" ? "" : settings.origin(option)};
}

}  // namespace

Result<Binding> asked_binding(const Settings& settings) {
  Binding binding{.symbols = settings.config().base.symbols,
                  .shapes = settings.config().base.shapes,
                  .assume = !settings.flag("no-assume")};
  for (const std::string& word : settings.list("bind")) {
    const std::size_t equals = word.rfind('=');
    const auto extent =
        equals == std::string::npos ? std::nullopt : number_in<std::int64_t>(std::string_view(word).substr(equals + 1));
    if (!extent || equals == 0 || *extent < 0) return wrong(settings, "bind", word, "SYMBOL=N such as batch=8");
    binding.symbols[word.substr(0, equals)] = *extent;
  }
  for (const std::string& word : settings.list("shapes")) {
    const std::size_t colon = word.rfind(':');
    std::vector<std::int64_t> dims;
    bool good = colon != std::string::npos && colon > 0;
    for (std::string_view rest = good ? std::string_view(word).substr(colon + 1) : ""; good && !rest.empty();) {
      const std::size_t end = rest.find('x');
      const auto extent = number_in<std::int64_t>(rest.substr(0, end));
      good = extent && *extent >= 0 && end + 1 != rest.size();
      if (good) dims.push_back(*extent);
      rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    }
    if (!good) return wrong(settings, "shapes", word, "INPUT:DIMS such as images:8x3x640x640");
    binding.shapes[word.substr(0, colon)] = std::move(dims);
  }
  return binding;
}

Result<std::map<std::string, std::pair<double, double>>> asked_ranges(const Settings& settings) {
  std::map<std::string, std::pair<double, double>> ranges = settings.config().base.ranges;
  for (const std::string& word : settings.list("range")) {
    const std::size_t equals = word.rfind('='), colon = word.rfind(':');
    std::optional<double> low, high;
    if (equals != std::string::npos && equals > 0 && colon != std::string::npos && colon > equals) {
      low = number_in<double>(std::string_view(word).substr(equals + 1, colon - equals - 1));
      high = number_in<double>(std::string_view(word).substr(colon + 1));
    }
    if (!low || !high || !(*low <= *high))
      return wrong(settings, "range", word, "INPUT=LOWEST:HIGHEST such as images=0:1");
    ranges[word.substr(0, equals)] = {*low, *high};
  }
  return ranges;
}

int asked_threads(const Settings& settings) {
  const std::int64_t jobs = settings.integer("jobs");
  if (jobs > 0) return static_cast<int>(std::min<std::int64_t>(jobs, 1024));
  const unsigned cores = std::thread::hardware_concurrency();
  return cores ? static_cast<int>(cores) : 1;
}

Result<std::vector<Target>> asked_targets(const Settings& settings) {
  Result<DeviceTable> table = DeviceTable::builtin();
  if (const std::string path = settings.text("devices"); !path.empty()) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file)
      return Error{
          .fault = Fault::file, .message = "the device table cannot be read; name a readable file", .where = path};
    table = DeviceTable::read(text.str(), path);
  }
  if (!table) return std::move(table).error();
  std::vector<Target> targets;
  for (const std::string& name : settings.list("target")) {
    Result<Target> target = table->find(name);
    if (!target) {
      Error error = std::move(target).error();
      if (settings.origin("target") != "command line") error.where = settings.origin("target");
      return error;
    }
    targets.push_back(*std::move(target));
  }
  if (targets.empty())
    return Error{.fault = Fault::usage, .message = "--target names no device, expected one such as h100_sxm"};
  return targets;
}

Result<LintOptions> asked_lint(const Settings& settings, std::span<const Target> targets, const Evaluator* evaluator) {
  const ConfigSection& file = settings.config().base;
  LintOptions options;
  options.book = &settings.rules();
  for (const Target& target : targets) options.targets.push_back(&target);
  for (const std::string& type : settings.list("as"))
    if (auto id = compute_from_name(type)) options.as.push_back(*id);
  options.runtime = runtime_from_name(settings.text("runtime")).value_or(Runtime::any);
  options.select = settings.list("select");
  options.ignore = settings.list("ignore");
  options.preview = settings.flag("preview");
  options.weights = settings.flag("weights");
  options.data = settings.flag("calibrate");
  options.severities = file.severities;
  options.options = file.rule_options;
  options.budgets = file.budgets;
  options.suppressions = settings.config().suppressions;
  options.today = today();
  AEGIS_TRY(options.ranges, asked_ranges(settings));
  AEGIS_TRY(const RunLimits limits, asked_limits(settings));
  options.max_findings = limits.findings_per_rule;
  options.rule_time = seconds_of(limits.rule_seconds);
  options.file_time = seconds_of(limits.file_seconds);
  options.evaluator = evaluator;
  options.threads = asked_threads(settings);
  return options;
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::string default_target_note(const Settings& settings) {
  if (settings.given("target") || settings.flag("quiet")) return "";
  return fmt::format("note: judged for {}; --target or `target` in aegis.toml names another GPU\n",
                     settings.text("target"));
}

Result<Model> load_asked(const std::string& path, const Settings& settings, Io& io) {
  AEGIS_TRY(const RunLimits limits, asked_limits(settings));
  LoadOptions options;
  options.limits = limits.load;
  options.external_data = external_policy_from_name(settings.text("external-data-policy")).value_or(ExternalPolicy::hf);
  options.resolve_pointers = settings.text("pointers") == "resolve";
  if (path != "-") return load(path, options);
  if (!io.in)
    return Error{
        .fault = Fault::file, .code = "IO901", .message = "standard input is closed; name a file", .where = "-"};
  return load_stream(*io.in, "-", options);
}

}  // namespace aegis
