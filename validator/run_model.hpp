// run_model: one engine, given inputs; outputs are written as test data and compared with expected ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/infer.hpp"

namespace aegis {

struct RunModelOptions {
  std::string engine = "cpu";
  std::string inputs;  // as ValidateOptions::inputs; empty: one generated set
  std::string out;     // a folder for output_N.pb, or test_data_set_S/output_N.pb when there are several sets
  std::string expect;  // a folder of that kind to compare with
  double rtol = 1e-3, atol = 1e-7;  // right when |found - expected| <= atol + rtol * |expected|
  Binding binding;
  int threads = 1;
  std::uint64_t seed = 0;
  std::uint64_t max_host_bytes = 8ull << 30;
  double deadline_s = 600;  // of all runs together; past it the run is an error
};

struct ModelRun {
  std::string engine, inputs;  // inputs: "synthetic" or the path
  struct Output {
    std::string set, name, dtype;
    std::vector<std::int64_t> shape;
    std::string file;               // empty: not written
    std::optional<double> max_abs;  // largest difference; absent: nothing to compare with, or no comparison possible
    std::optional<bool> ok;         // absent: nothing to compare with
    std::string reason;             // why it is not right
  };
  std::vector<Output> outputs;  // set by set, in the order of the graph's outputs
  std::optional<bool> ok;       // of all that had an expectation
  std::vector<std::string> notes;
};

// Errors: inputs or expectations that cannot be read or do not fit (usage, file), outputs that cannot be written
// (file), nodes that the engine cannot run (validation).
Result<ModelRun> run_model(const Model& model, const RunModelOptions& options);

}  // namespace aegis
