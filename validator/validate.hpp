// validate(before, after): both models get the same inputs on one engine; every output is compared, and a difference
// is given a place. One function serves the verb `validate` and the check that follows a rewrite.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/infer.hpp"
#include "validator/compare/agreement.hpp"
#include "validator/inputs/input_spec.hpp"
#include "validator/verdict.hpp"

namespace aegis {

struct ValidateOptions {
  // What the change promises. Absent: read off the two models (infer_change); a mere padding then counts as `close`.
  std::optional<ChangeClass> change;

  std::string engine = "cpu";
  std::string inputs;  // a file (.npy .npz .pb) or a folder (test_data_set_*, input_N.pb); empty: inputs are generated
  std::string labels;  // a .npy or .npz with one integer per sample of `inputs`; empty: none
  Binding binding;     // numbers for symbolic dims; those left open are taken from user inputs, else assumed
  std::map<std::string, std::pair<double, double>> ranges;  // name glob -> [lo, hi] of generated inputs
  int sets = 8;                                             // generated input sets; at least 1
  std::uint64_t seed = 0;
  std::string save_inputs;  // a folder that receives the inputs as test_data_set_N; empty: not written

  std::optional<double> min_snr_db;  // replaces the class's gate; bit equality stays bit equality
  std::optional<double> max_rel_l2;  // a bound on top of the class's gate
  // Least share of rows (last axis) whose largest element stands at the same place before and after; with labels:
  // least share of samples that `after` gets right.
  std::optional<double> min_top1;

  int threads = 1;
  std::uint64_t max_host_bytes = 8ull << 30;
  double deadline_s = 600;  // then runs end; the sets that finished count and are marked partial
};

// A numeric summary of one output, the worst over all input sets. Errors are after - before in double precision, over
// the elements where before is finite.
struct OutputAccuracy {
  std::string name;
  bool numeric = true;  // false: integers, booleans; then only equal_share and bit_exact count
  double max_abs = 0;
  std::vector<std::int64_t> max_abs_index;  // position of max_abs in the output of its set
  double max_abs_before = 0, max_abs_after = 0;
  std::optional<double> rel_l2;  // absent: before is all zero while after is not, or nothing to compare
  std::optional<double> snr_db;  // -20 log10(rel_l2), at most snr_cap_db
  std::optional<double> cosine;
  std::optional<double> max_ulp;    // in the narrower of the two output types
  std::uint64_t new_nonfinite = 0;  // finite before, NaN or infinite after
  bool bit_exact = false;
  double equal_share = 0;
  std::optional<Agreement> top1, top5;  // outputs of rank 2 or 3 with two or more (six or more) classes
  std::string worst_set;                // the input set behind rel_l2: "3 (scaled by 8)"
  std::string gate;                     // "snr >= 25 dB and cosine >= 0.998"
  std::string reason;                   // why it is not a pass; empty when it is
  struct Degenerate {
    std::string why;       // "constant", "saturated", "error below resolution", "reference not finite"
    std::string gated_on;  // the value that was gated instead; empty when there is none
    std::optional<double> gated_snr_db;
  };
  std::optional<Degenerate> degenerate;
  Verdict verdict = Verdict::fail;
};

// 999 dB stands for "no difference at all": JSON has no infinity.
inline constexpr double snr_cap_db = 999;

struct NodePlace {
  std::string scope, node, op;
};

struct FirstBad : NodePlace {
  std::string value;                        // the output of the node, as `after` names it
  std::string kind;                         // nonfinite | local | fragile | accumulated | padding
  std::optional<double> local_rel_l2;       // the node's own error, on the reference inputs
  std::optional<double> cumulative_rel_l2;  // absent when the value is not finite
  std::optional<double> amplification;      // cumulative error of the output over the largest of its inputs
};

struct NotRun : NodePlace {
  std::string model;  // "before" or "after"
  std::string reason;
};

// CPU timings carry no verdict about a GPU, so every figure is absent and the verdict is not_measured.
struct Speed {
  std::string verdict = "not_measured";
  std::optional<double> ratio, noise_floor, before_us, after_us, clock_hz, first_run_us;
  std::optional<std::array<double, 2>> ci95;
};

struct Validation {
  Verdict verdict = Verdict::fail;
  std::string reason;  // why it is no pass: "not_run", "gate", "interface", "padding", "degenerate", "deadline"; empty
                       // on a pass
  std::string detail;  // the same in a sentence
  Basis evidence = Basis::synthetic;

  std::string engine = "cpu";
  ChangeClass change = ChangeClass::close;
  bool change_inferred = false;
  int threads = 1;

  struct Inputs {
    std::uint64_t count = 0;    // input sets that both models ran
    std::uint64_t planned = 0;  // sets that were meant to run
    std::uint64_t samples = 0;  // leading extents of all sets together, when the inputs share one; else = count
    std::string source;         // "synthetic" or the path
    std::uint64_t seed = 0;
    std::vector<InputUsed> used;
    std::vector<Symbol> symbols;  // with the number each was given
  } inputs;

  std::vector<OutputAccuracy> outputs;
  struct Task {
    std::string output;  // the output that was read as class scores
    std::uint64_t n = 0;
    double top1_before = 0, top1_after = 0;
  };
  std::optional<Task> task;
  std::optional<FirstBad> first_bad;
  std::vector<NotRun> not_run;
  std::uint64_t nodes_before = 0, nodes_after = 0;
  std::vector<std::string> limits;       // limits that were hit: deadline, memory of the localisation
  std::vector<std::string> not_covered;  // what this verdict does not speak of
  Speed speed;
};

// Errors: inputs or labels that cannot be read or do not fit the model (usage, file), an unknown engine (usage). Models
// that cannot be run give a Validation with verdict degenerate and reason not_run.
Result<Validation> validate(const Model& before, const Model& after, const ValidateOptions& options);

// The loosest promise that the difference between two models can rest on: equal models `exact`; more or fewer values of
// a narrow type `bf16` or `f16`; anything else `close`.
ChangeClass infer_change(const Model& before, const Model& after);

// Seconds that `sets` runs of both models are expected to take on the CPU engine: counted multiply-adds and moved bytes
// over rates of one core. Absent when a shape is unknown, since the guess would be one of nothing.
std::optional<double> estimate_cpu_seconds(const Model& before, const Model& after, const ValidateOptions& options);

}  // namespace aegis
