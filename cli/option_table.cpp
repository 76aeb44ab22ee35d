#include "cli/option.hpp"

namespace aegis {
namespace {

using enum OptionKind;

constexpr Option table[] = {
    // what the model would run on
    {.name = "target",
     .kind = list,
     .value = "NAME[,NAME...]",
     .otherwise = "h100_sxm",
     .key = "target",
     .help = "GPUs to judge the model for, by name or alias (a100, h100, l4, ...); with several, a finding says on "
             "which it fires"},
    {.name = "devices",
     .kind = text,
     .value = "FILE",
     .help = "look targets up in this device table instead of the built-in one"},
    {.name = "runtime",
     .kind = choice,
     .value = "NAME",
     .choices = "any|schema|ort-cpu|ort-cuda|tensorrt",
     .otherwise = "any",
     .key = "runtime",
     .help = "what will run the model; any: at least one known runtime must load it, schema: the ONNX schema alone "
             "decides"},
    {.name = "bind", .kind = list, .value = "SYMBOL=N[,...]", .help = "numbers for symbolic dims: batch=8,seq=512"},
    {.name = "shapes",
     .kind = repeated,
     .value = "INPUT:DIMS",
     .help = "the shape of a graph input: images:8x3x640x640"},
    {.name = "no-assume", .kind = flag, .help = "leave unbound dims unknown instead of assuming a number for them"},
    {.name = "range", .kind = repeated, .value = "INPUT=LO:HI", .help = "what a graph input can hold: images=0:1"},
    {.name = "as",
     .kind = list,
     .value = "TYPE[,TYPE...]",
     .choices = "bf16|fp16|tf32|fp32|int8",
     .help = "judge the model as if it ran in that type"},
    // which rules, and what they decide
    {.name = "select",
     .kind = list,
     .value = "CODE|PREFIX[,...]",
     .key = "rules.select",
     .help = "run these rules only: AL101, MB, PR3"},
    {.name = "ignore",
     .kind = list,
     .value = "CODE|PREFIX[,...]",
     .key = "rules.ignore",
     .help = "leave these rules out"},
    {.name = "plugin",
     .kind = repeated,
     .value = "FILE",
     .help = "rules of a pack too: a shared object built with the SDK; its code runs in this program"},
    {.name = "preview", .kind = flag, .key = "rules.preview", .help = "run the rules outside the stable set too"},
    {.name = "weights", .kind = flag, .help = "run the rules that read weights too"},
    {.name = "calibrate",
     .kind = flag,
     .help = "run the rules that need ranges seen on data too; they stay silent where no data was seen"},
    {.name = "fail-on",
     .kind = choice,
     .value = "SEVERITY",
     .choices = "error|warning|info|never",
     .otherwise = "error",
     .key = "fail_on",
     .help = "exit 1 when a finding is at least this severe"},
    {.name = "files-from", .kind = text, .value = "FILE|-", .help = "lint the files that FILE lists, one a line"},
    // what to rewrite
    {.name = "output", .letter = 'o', .kind = text, .value = "FILE", .help = "write the result here"},
    {.name = "pad",
     .kind = choice,
     .value = "WHEN",
     .choices = "auto|always",
     .bare = "as-configured",
     .help = "pad misaligned dims: auto where the prediction pays, always wherever it is legal; alone: as [padding] "
             "gate says, else auto"},
    {.name = "pad-to",
     .kind = integer,
     .value = "N",
     .key = "padding.multiple",
     .help = "pad to multiples of N instead of what the type and the target ask for"},
    {.name = "bf16", .kind = flag, .help = "recast to BF16 wherever the schema allows it and no rule pins a node"},
    {.name = "fp16", .kind = flag, .help = "recast to FP16 wherever the schema allows it and no rule pins a node"},
    {.name = "keep",
     .kind = repeated,
     .value = "GLOB",
     .key = "precision.keep",
     .help = "nodes that a recast leaves in FP32"},
    {.name = "max-opset",
     .kind = integer,
     .value = "N",
     .key = "precision.max_opset",
     .help = "never raise the model's opset above N"},
    {.name = "accept",
     .kind = choice,
     .value = "SAFETY",
     .choices = "exact|close|lossy",
     .help = "the least safe change to accept; implied by what is asked for: --pad close, --bf16 and --fp16 lossy"},
    {.name = "check",
     .kind = choice,
     .value = "WHEN",
     .choices = "auto|always|never",
     .otherwise = "auto",
     .help = "run both models and compare: auto when it takes at most a minute; always: nothing is written unless it "
             "passes"},
    {.name = "diff", .kind = flag, .help = "print the changed lines of the model's text form"},
    {.name = "dry-run", .kind = flag, .help = "plan and report, write nothing"},
    {.name = "in-place", .kind = flag, .help = "write the result over the model"},
    {.name = "force", .kind = flag, .help = "overwrite an existing output"},
    {.kind = choice, .choices = "predicted|off", .key = "padding.gate", .help = "when to pad, as --pad=auto|always"},
    {.kind = real,
     .otherwise = "1.35",
     .key = "padding.max_tensor_growth",
     .help = "most that padding may grow one tensor"},
    {.kind = real,
     .otherwise = "1.25",
     .key = "padding.max_flop_growth",
     .help = "most that padding may grow the FLOPs of one product"},
    {.kind = real,
     .otherwise = "1.10",
     .key = "padding.max_file_growth",
     .help = "most that padding may grow the file"},
    {.kind = real,
     .otherwise = "1.05",
     .key = "padding.max_activation_growth",
     .help = "most that padding may grow peak activations"},
    {.kind = flag, .key = "padding.grouped", .help = "pad the groups of grouped convolutions"},
    {.kind = flag, .key = "padding.best", .help = "pad to the best multiple, not to the first that is fast"},
    // running models
    {.name = "engine", .kind = text, .value = "NAME", .otherwise = "cpu", .help = "what runs the model"},
    {.name = "inputs",
     .kind = text,
     .value = "DIR|FILE",
     .help = "input data: a folder with input_N.pb, or a .npz or .pb file"},
    {.name = "labels", .kind = text, .value = "FILE", .help = "the right class of each input"},
    {.name = "sets", .kind = integer, .value = "N", .help = "how many made-up input sets to compare on"},
    {.name = "seed", .kind = integer, .value = "N", .otherwise = "0", .help = "seed of made-up inputs"},
    {.name = "save-inputs",
     .kind = text,
     .value = "DIR",
     .help = "write the inputs there, as test_data_set_N folders that --inputs reads back"},
    {.name = "min-snr", .kind = real, .value = "DB", .help = "least signal-to-noise ratio of each output"},
    {.name = "max-rel-l2", .kind = real, .value = "X", .help = "largest relative L2 error of each output"},
    {.name = "min-top1", .kind = real, .value = "SHARE", .help = "least share of rows with the same first class"},
    {.name = "out", .kind = text, .value = "DIR", .help = "write the outputs here"},
    {.name = "expect", .kind = text, .value = "DIR", .help = "compare with the output_N.pb of this folder"},
    {.name = "rtol", .kind = real, .value = "X", .otherwise = "0.001", .help = "relative tolerance of --expect"},
    {.name = "atol", .kind = real, .value = "X", .otherwise = "1e-7", .help = "absolute tolerance of --expect"},
    // how to say it
    {.name = "why", .kind = flag, .help = "defaults too, and where each value comes from"},
    {.name = "format",
     .kind = repeated,
     .value = "NAME[=FILE]",
     .otherwise = "text",
     .help = "how to print the report: text, json, ...; with =FILE it is written there; may be repeated"},
    {.name = "config",
     .kind = text,
     .value = "FILE",
     .help = "read this configuration instead of the nearest aegis.toml"},
    {.name = "jobs", .kind = integer, .value = "N", .otherwise = "0", .help = "threads; 0: one a core"},
    {.name = "quiet", .kind = flag, .help = "no notes on standard error, only errors"},
    {.name = "color",
     .kind = choice,
     .value = "WHEN",
     .choices = "auto|always|never",
     .otherwise = "auto",
     .help = "colour of the text report; auto: on a terminal, unless NO_COLOR is set"},
    {.name = "help", .letter = 'h', .kind = flag, .help = "print this text"},
    {.name = "version", .kind = flag, .help = "print the version, the ONNX opset and the engines"},
};

constexpr std::string_view common[] = {"format", "config", "plugin", "jobs", "quiet", "color", "help", "version"};

}  // namespace

std::span<const Option> option_table() { return table; }
std::span<const std::string_view> common_options() { return common; }

const Option* find_option(std::string_view name) {
  for (const Option& option : table)
    if (!option.name.empty() && option.name == name) return &option;
  return nullptr;
}

const Option* find_option_by_key(std::string_view key) {
  for (const Option& option : table)
    if (!option.key.empty() && option.key == key) return &option;
  return nullptr;
}

}  // namespace aegis
