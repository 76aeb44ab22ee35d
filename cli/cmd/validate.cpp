// aegis validate: the same inputs through two models, one verdict.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/asked_rewrite.hpp"
#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/validation_document.hpp"
#include "validator/validate.hpp"

using namespace aegis;

namespace {

Result<Exit> run(const Settings& settings, Io& io, Json& document) {
  if (settings.operands()[0] == "-" && settings.operands()[1] == "-")
    return Error{.fault = Fault::usage,
                 .message =
                     "both models are `-`, expected one of them from standard input at most; give the other as "
                     "a file"};
  enter(io, Phase::loading);
  AEGIS_TRY(const Model before, load_asked(settings.operands()[0], settings, io));
  AEGIS_TRY(const Model after, load_asked(settings.operands()[1], settings, io));
  AEGIS_CHECK(check_asked_names(settings, before));
  AEGIS_TRY(const ValidateOptions options, asked_validation(settings));
  enter(io, Phase::validating);
  AEGIS_TRY(const Validation validation, validate(before, after, options));
  document["before"] = settings.operands()[0];
  document["after"] = settings.operands()[1];
  document.update(validation_json(validation));
  return exit_of(validation.verdict);
}

void text(const Json& document, const TextStyle& style, std::ostream& out) { validation_text(document, 0, style, out); }

constexpr std::string_view options[] = {"engine",      "inputs",  "save-inputs",          "labels",   "sets",
                                        "seed",        "min-snr", "max-rel-l2",           "min-top1", "bind",
                                        "shapes",      "range",   "external-data-policy", "pointers", "deadline",
                                        "max-host-mem"};

}  // namespace

AEGIS_COMMAND(validate) = {
    .name = "validate",
    .operands = "BEFORE AFTER",
    .summary = "run two models on the same inputs and say whether the second may stand for the first",
    .detail =
        "Without --inputs the data is made up and the verdict says so. What may change is read off the models: equal\n"
        "files must agree bit for bit, narrow types are held to the gate of their type, anything else to 100 dB.",
    .order = 30,
    .min_operands = 2,
    .max_operands = 2,
    .options = options,
    .run = run,
    .isolated = true,
    .text = text};
