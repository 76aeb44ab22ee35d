#include "cli/asked_rewrite.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "cli/asked.hpp"

namespace aegis {
namespace {

Error usage(std::string message) { return Error{.fault = Fault::usage, .message = std::move(message)}; }

// --pad=auto and always name the gates that [padding] gate calls predicted and off; --pad alone leaves the choice to
// the file.
PaddingOptions::Gate asked_gate(const Settings& settings) {
  const std::string pad = settings.text("pad");
  const bool off = pad == "always" || (pad != "auto" && settings.text("padding.gate") == "off");
  return off ? PaddingOptions::Gate::off : PaddingOptions::Gate::predicted;
}

Result<void> check_accept(const Settings& settings, const RewriteRequest& request) {
  const std::string accept = settings.text("accept");
  if (accept.empty() || accept == "lossy") return {};
  if (request.precision.to != DType::undefined)
    return usage(
        fmt::format("--{} makes a lossy change, --accept is `{}`; accept lossy changes or leave the recast out",
                    request.precision.to == DType::bf16 ? "bf16" : "fp16", accept));
  if (request.pad && accept == "exact")
    return usage("--pad makes a close change, --accept is `exact`; accept close changes or leave the padding out");
  return {};
}

ExternalData asked_external_data(const Settings& settings) {
  const std::string when = settings.text("external-data");
  return when == "always" ? ExternalData::always : when == "never" ? ExternalData::never : ExternalData::automatic;
}

}  // namespace

Result<RewriteRequest> asked_rewrite(const Settings& settings) {
  RewriteRequest request;
  request.pad = settings.given("pad");
  request.padding = PaddingOptions{.gate = asked_gate(settings),
                                   .multiple = settings.integer("pad-to"),
                                   .max_tensor_growth = settings.real("padding.max_tensor_growth"),
                                   .max_flop_growth = settings.real("padding.max_flop_growth"),
                                   .max_file_growth = settings.real("padding.max_file_growth"),
                                   .max_activation_growth = settings.real("padding.max_activation_growth"),
                                   .grouped = settings.flag("padding.grouped"),
                                   .best = settings.flag("padding.best")};
  if (settings.flag("bf16") && settings.flag("fp16"))
    return usage("--bf16 and --fp16 are both given, expected one of them");
  if (settings.flag("bf16")) request.precision.to = DType::bf16;
  if (settings.flag("fp16")) request.precision.to = DType::f16;
  request.precision.keep = settings.list("keep");
  request.precision.max_opset = settings.integer("max-opset");
  request.precision.runtime = settings.text("runtime");
  AEGIS_CHECK(check_accept(settings, request));
  return request;
}

Result<ValidateOptions> asked_validation(const Settings& settings) {
  ValidateOptions options;
  options.engine = settings.text("engine");
  options.inputs = settings.text("inputs");
  options.labels = settings.text("labels");
  AEGIS_TRY(options.binding, asked_binding(settings));
  AEGIS_TRY(options.ranges, asked_ranges(settings));
  if (settings.given("sets"))
    options.sets =
        static_cast<int>(std::min<std::int64_t>(std::max<std::int64_t>(settings.integer("sets"), 1), 1 << 20));
  options.save_inputs = settings.text("save-inputs");
  options.deadline_s = settings.real("deadline");
  options.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  if (settings.given("min-snr")) options.min_snr_db = settings.real("min-snr");
  if (settings.given("max-rel-l2")) options.max_rel_l2 = settings.real("max-rel-l2");
  if (settings.given("min-top1")) options.min_top1 = settings.real("min-top1");
  options.threads = asked_threads(settings);
  options.max_host_bytes = settings.bytes("max-host-mem");
  return options;
}

Result<Destination> asked_destination(const Settings& settings, const std::string& model) {
  const std::string output = settings.text("output");
  const bool in_place = settings.flag("in-place");
  if (!output.empty() && in_place) return usage("-o and --in-place are both given, expected one of them");
  if (settings.flag("dry-run")) return Destination{};
  if (output.empty() && !in_place) return usage("no output is named, expected -o FILE, --in-place or --dry-run");
  if (output == "-") return usage("-o is `-`, expected a file: a model is not written to standard output");
  struct stat source{}, target{};
  const bool source_known = stat(model.c_str(), &source) == 0;
  if (in_place && model == "-")
    return usage("--in-place is given for standard input, expected a file; name one with -o");
  SaveOptions options{.overwrite = in_place ? Overwrite::in_place : Overwrite::no,
                      .external_data = asked_external_data(settings),
                      .allow_growth = settings.flag("allow-growth")};
  if (in_place) {
    AEGIS_CHECK(check_in_place(model));
    return Destination{model, options};
  }
  if (stat(output.c_str(), &target) != 0) return Destination{output, options};
  if (source_known && source.st_dev == target.st_dev && source.st_ino == target.st_ino)
    return usage(fmt::format("-o names the model itself, expected another file; --in-place writes over the model"));
  if (!settings.flag("force"))
    return Error{.fault = Fault::file,
                 .message = "exists already; give another name, or --force to replace it",
                 .where = output};
  options.overwrite = Overwrite::yes;
  return Destination{output, options};
}

}  // namespace aegis
