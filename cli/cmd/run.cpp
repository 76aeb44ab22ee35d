// aegis run: a model on one engine, with given inputs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/settings.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"
#include "validator/compare/metrics.hpp"
#include "validator/run_model.hpp"

using namespace aegis;

namespace {

Result<Exit> run(const Settings& settings, Io& io, Json& document) {
  AEGIS_TRY(Binding binding, asked_binding(settings));
  const RunModelOptions options{.engine = settings.text("engine"),
                                .inputs = settings.text("inputs"),
                                .out = settings.text("out"),
                                .expect = settings.text("expect"),
                                .rtol = settings.real("rtol"),
                                .atol = settings.real("atol"),
                                .binding = std::move(binding),
                                .threads = asked_threads(settings),
                                .seed = static_cast<std::uint64_t>(settings.integer("seed")),
                                .max_host_bytes = settings.bytes("max-host-mem"),
                                .deadline_s = settings.real("deadline")};
  enter(io, Phase::loading);
  AEGIS_TRY(const Model model, load_asked(settings.operands()[0], settings, io));
  AEGIS_CHECK(check_asked_names(settings, model));
  enter(io, Phase::validating);
  AEGIS_TRY(const ModelRun done, run_model(model, options));
  document["engine"] = done.engine;
  document["inputs"] = Json{{"source", done.inputs}};
  Json& outputs = document["outputs"] = Json::array();
  for (const ModelRun::Output& output : done.outputs)
    outputs.push_back(Json{{"name", output.name},
                           {"dtype", output.dtype},
                           {"shape", output.shape},
                           {"file", text_or_null(output.file)},
                           {"max_abs", number_or_null(output.max_abs)},
                           {"ok", output.ok ? Json(*output.ok) : Json(nullptr)},
                           {"set", output.set},
                           {"reason", text_or_null(output.reason)}});
  document["verdict"] = done.ok ? Json(*done.ok ? "pass" : "fail") : Json(nullptr);
  document["notes"] = done.notes;
  return done.ok.value_or(true) ? Exit::clean : Exit::validation;
}

void text(const Json& document, const TextStyle& style, std::ostream& out) {
  for (const Json& output : document["outputs"]) {
    std::string line =
        fmt::format("{}: {} {}", printable(output["name"].get<std::string>()), output["dtype"].get<std::string>(),
                    shape_text(output["shape"].get<std::vector<std::int64_t>>()));
    if (output["file"].is_string()) line += " -> " + printable(output["file"].get<std::string>());
    if (output["max_abs"].is_number())
      line += fmt::format(", largest difference {}", short_number(output["max_abs"].get<double>()));
    if (output["ok"].is_boolean())
      line += output["ok"].get<bool>() ? ", as expected" : ", " + paint(style, Paint::red, "not as expected");
    if (output["reason"].is_string()) line += ": " + printable(output["reason"].get<std::string>());
    out << wrap(style, line, 0, 2) << '\n';
  }
  for (const Json& note : document["notes"]) out << wrap(style, printable(note.get<std::string>()), 0, 2) << '\n';
  if (document["verdict"].is_string()) out << "verdict: " << document["verdict"].get<std::string>() << '\n';
}

constexpr std::string_view options[] = {"inputs",   "engine",   "out",         "expect", "rtol",
                                        "atol",     "seed",     "bind",        "shapes", "external-data-policy",
                                        "pointers", "deadline", "max-host-mem"};

}  // namespace

AEGIS_COMMAND(run) = {
    .name = "run",
    .operands = "MODEL",
    .summary = "run a model on one engine and write or compare its outputs",
    .detail =
        "Inputs and outputs are TensorProto files as in ONNX's test data: input_N.pb, output_N.pb. Without\n"
        "--inputs the data is made up.",
    .order = 40,
    .options = options,
    .run = run,
    .isolated = true,
    .text = text};
