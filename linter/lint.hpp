// lint: runs the rules over a Model and says what they found. A finding names places by id and by text, carries its
// numbers as evidence and its fix as Requests; every report format is a function of LintResult.
//
// The order of findings, their text and their fingerprints do not depend on the number of threads.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "linter/request.hpp"
#include "model/model.hpp"
#include "model/patch.hpp"
#include "model/result.hpp"
#include "ops/evaluator.hpp"
#include "ops/infer.hpp"
#include "ops/target.hpp"

namespace aegis {

class RuleBook;

enum class Severity : std::uint8_t { off, info, warning, error };
enum class Certainty : std::uint8_t { unstated, certain, possible, seen };
enum class Confidence : std::uint8_t { none, low, medium, high };
enum class Runtime : std::uint8_t { any, schema, ort_cpu, ort_cuda, tensorrt };
std::string_view name(Severity severity);      // "off", "info", "warning", "error"
std::string_view name(Certainty certainty);    // "certain", "possible", "seen"; empty when unstated
std::string_view name(Confidence confidence);  // "low", "medium", "high"; empty when none
std::optional<Severity> severity_from_name(std::string_view text);
std::optional<Runtime> runtime_from_name(std::string_view text);  // "any", "schema", "ort-cpu", ...

using OptionValue = std::variant<bool, double, std::string>;

// An accepted finding: [[suppress]] of aegis.toml, or a line of the model's metadata entry `aegis.suppress`.
struct Suppression {
  std::string rule;        // a code or a prefix of codes
  std::string node = "*";  // glob over node names ("*" crosses "/"); scope-qualified names match too: "/loop/body/mm"
  std::string reason;      // required
  std::string expires;     // "2027-06-01"; empty: never
  std::string origin;      // where it is written: "aegis.toml:12", "metadata aegis.suppress"
};

struct LintOptions {
  const RuleBook* book = nullptr;      // null: the program's own rules
  std::vector<const Target*> targets;  // at least one; findings that only some of them meet list those
  std::vector<Compute> as;             // types to judge the model as if it ran in (compute_from_name); empty: as stored
  Runtime runtime = Runtime::any;
  bool tf32 = true;          // FP32 products count as TF32 where the target has it
  bool old_library = false;  // cuBLAS < 11, cuDNN < 7.6.3

  std::vector<std::string> select, ignore;     // codes or prefixes; an empty select means every family
  bool preview = false;                        // rules outside the stable set too
  bool weights = false, data = false;          // rules that read weights; that need a run on data
  std::map<std::string, Severity> severities;  // by code; also switches a rule on or off
  std::map<std::string, std::map<std::string, OptionValue>> options;  // code -> option -> value
  std::map<std::string, double> budgets;                              // [budgets] of aegis.toml
  std::vector<Suppression> suppressions;
  std::string today;               // "2026-12-01", to judge `expires`; empty: nothing is expired
  std::set<std::string> baseline;  // fingerprints of findings accepted earlier
  std::map<std::string, std::pair<double, double>> ranges;  // what a graph input can hold: [inputs], --range

  const Evaluator* evaluator = nullptr;  // folds constants; without it facts that need values are absent
  int threads = 1;
  std::size_t max_findings = 1000;  // per rule; the rest is counted in a PK802 finding
  // Time that one rule, and all rules together, may take of a file; what goes beyond ends in a PK802 finding.
  std::chrono::seconds rule_time{10}, file_time{60};
};

// Where something is, by id for programs and by name for people.
struct Place {
  enum class Kind : std::uint8_t { model, scope, node, value } kind = Kind::model;
  ScopeId scope_id = ScopeId::main;
  NodeId node_id = NodeId::none;
  ValueId value_id = ValueId::none;
  std::string scope = "/";  // "/" or "/If_3/then_branch"
  std::string node, op;     // the node's name or "#17"; of a value: its producer
  std::string value;        // the value's name when the place is a value
};

struct Related {
  Place place;
  std::string role;  // "pattern", "reader", ...; may be empty
  std::optional<double> bytes;
};

using EvidenceValue = std::variant<std::monostate, double, std::int64_t, std::string, bool>;  // monostate: unknown
struct Evidence {
  std::string key;  // with its unit: "time_us_min", "row_bytes"
  // One value without a label: a scalar. Labels: a map. Several without labels: a list.
  std::vector<std::pair<std::string, EvidenceValue>> values;
};

struct Gain {
  double low = 1, point = 1, high = 1;  // t(before) / t(after) of the anchored operation
  std::optional<double> bytes_saved;
  std::optional<double> time_percent;  // share of the model's time that the finding is about: "at most X %"
  Confidence confidence = Confidence::none;
};

struct Suppressed {
  std::string by;  // "baseline", or the suppression's origin
  std::string reason;
};

struct Finding {
  std::string code, rule;  // "AL101", "unaligned_gemm_k"
  Severity severity = Severity::info;
  Place anchor;
  std::string message;
  std::vector<Evidence> evidence;
  std::optional<Gain> gain;
  std::vector<Place>
      members;  // the equal nodes of the group, the anchor first; empty when the finding is not about nodes
  std::vector<Related> related;
  std::vector<std::string> targets;  // "h100_sxm"; empty for rules that do not depend on one
  std::vector<std::string> as;       // "bf16" when linted as another type than stored
  Certainty certainty = Certainty::unstated;
  std::vector<Request> requests;    // preferred first
  std::vector<std::string> advice;  // what to do when no Request does it
  std::string source_file;          // the exporter's source position of the anchor, when the file has one
  std::uint64_t source_line = 0;
  std::optional<Suppressed> suppressed;
  std::string fingerprint;  // structural: equal after renaming and re-export
  bool pins = false;        // a recast keeps the places of this finding wide
};

// What a recast has to leave wide, and why: a node with all its float values, or one value.
struct Pin {
  NodeId node = NodeId::none;
  ValueId value = ValueId::none;  // when node is none
  std::string code;
  friend auto operator<=>(const Pin&, const Pin&) = default;
};

struct Coverage {
  std::uint64_t nodes_total = 0, nodes_analyzed = 0;
  std::optional<double> flops_percent;          // share of FLOPs with a known cost; a bound when some are unknown
  std::vector<std::string> unbound;             // symbols without a number
  std::map<std::string, std::int64_t> assumed;  // symbols that Aegis gave one
  std::map<std::string, std::uint64_t> absent;  // why facts were absent: "unknown_dim" -> times
};

// The model at a glance, on the first target and type. Unknown is nullopt.
struct Profile {
  std::optional<double> flops, bytes_min, bytes_op_by_op, time_us, time_op_by_op_us;
  std::optional<double> parameters;
  std::optional<double> compute_bound_percent, memory_bound_percent, launch_bound_percent;  // of the estimated time
  std::optional<double> misaligned_flops_percent;  // FLOPs of products with a dim off its multiple
  std::uint64_t cast_count = 0;
};

struct StaleSuppression {
  Suppression suppression;
  bool expired = false;  // else: matched nothing
};

struct LintResult {
  std::vector<Finding> findings;  // errors first, then by confidence, share of time and place; suppressed ones too
  std::vector<Pin> pins;          // by node
  Coverage coverage;
  Profile profile;
  std::vector<StaleSuppression> stale_suppressions;
};

// Errors: Fault::usage for an unknown code, prefix, option or option value (with the nearest known name).
Result<LintResult> lint(const Model& model, const Binding& binding, const LintOptions& options);

// What a recast to options.as has to keep wide: every rule that pins runs, whatever is selected or shown. `ignore`, a
// level off and suppressions release.
Result<std::vector<Pin>> recast_pins(const Model& model, const Binding& binding, const LintOptions& options);

}  // namespace aegis
