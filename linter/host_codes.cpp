#include "linter/host_codes.hpp"

namespace aegis {
namespace {

constexpr HostCode table[] = {
    {"IO901", "not_onnx", "input", "error", "the file is of another format, or empty", "give an ONNX file"},
    {"IO902", "lfs_pointer", "input", "error",
     "the file, or one that it keeps its weights in, is a Git LFS or DVC pointer, and the local store lacks its "
     "content",
     "run `git lfs pull` or `dvc pull`"},
    {"IO903", "malformed_file", "input", "error",
     "the file cannot be read or written, breaks the rules of its encoding, or ends too early",
     "the message says which, and at which byte; fetch or export the file again"},
    {"IO904", "limit_exceeded", "input", "error", "the file asks for more than a limit allows",
     "raise the limit if you trust the file"},
    {"IO905", "external_path_refused", "input", "error",
     "the place of external data is one that the policy refuses; nothing was opened there",
     "put the data file beside the model, or allow links with --external-data-policy"},
    {"IO906", "external_data_missing", "input", "error", "external data is absent or shorter than declared",
     "put the whole data file beside the model"},
    {"IO907", "changed_while_reading", "input", "error", "the file changed between two reads", "run again"},
    {"IO908", "worker_failed", "input", "error",
     "the worker process of the file crashed, or reached a limit of memory or time; the message says which",
     "raise the limit with --limit if the file is worth it; else report the file"},
    {"IO909", "unknown_version", "input", "warning",
     "the IR version or an opset is newer than the schemas that aegis was built with",
     "use a newer aegis, or export for an older version"},
    {"PK801", "rule_failed", "plugin", "error", "a rule ended with an error; its findings for the file are dropped",
     "report it to the author of the rule"},
    {"PK802", "rule_limit", "plugin", "error", "a rule ran out of time, or found more than it may report",
     "narrow it by its options"},
};

}  // namespace

std::span<const HostCode> host_codes() { return table; }

const HostCode* find_host_code(std::string_view code_or_name) {
  for (const HostCode& entry : table)
    if (entry.code == code_or_name || entry.name == code_or_name) return &entry;
  return nullptr;
}

}  // namespace aegis
