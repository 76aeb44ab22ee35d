#include "validator/run_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/tensor_pb.hpp"
#include "validator/compare/closeness.hpp"
#include "validator/engines/engine.hpp"
#include "validator/inputs/files.hpp"
#include "validator/inputs/make_inputs.hpp"
#include "validator/inputs/read_inputs.hpp"

namespace aegis {
namespace {

Result<FeedSets> feeds_for(const Model& model, const RunModelOptions& options) {
  Binding binding = options.binding;
  binding.assume = false;
  const TypeTable types = infer(model, binding);
  AEGIS_TRY(const std::vector<InputSpec> specs, input_specs(model, types));
  if (!options.inputs.empty()) return read_inputs(options.inputs, specs);
  binding.assume = true;
  return make_inputs(model, infer(model, binding), specs, MakeOptions{.sets = 1, .seed = options.seed, .ranges = {}});
}

Result<void> check_coverage(const Model& model, const Engine& engine) {
  const std::vector<Unsupported> missing = engine.coverage(model);
  if (missing.empty()) return {};
  Error error{.fault = Fault::validation,
              .code = {},
              .message = fmt::format("{} nodes cannot be run by engine {}, expected none; the notes name them",
                                     missing.size(), engine.name()),
              .where = model.path(),
              .notes = {}};
  for (const Unsupported& u : missing) error.notes.push_back(fmt::format("{}: {}", label(model, u.node), u.reason));
  return error;
}

// The expectations of one set: a folder of its own when there are several, else the folder itself.
Result<std::map<std::size_t, Tensor>> expected_of(const RunModelOptions& options, std::size_t set, std::size_t sets) {
  if (options.expect.empty()) return std::map<std::size_t, Tensor>();
  AEGIS_TRY(const auto folders, numbered(options.expect, "test_data_set", ""));
  if (sets == 1) return read_outputs(options.expect);
  if (set >= folders.size())
    return Error{.fault = Fault::usage,
                 .code = {},
                 .message = fmt::format("holds {} test_data_set folders for {} input sets; give one for each",
                                        folders.size(), sets),
                 .where = options.expect,
                 .notes = {}};
  return read_outputs(folders[set].second);
}

}  // namespace

Result<ModelRun> run_model(const Model& model, const RunModelOptions& options) {
  AEGIS_TRY(const auto engine, find_engine(options.engine));
  AEGIS_CHECK(check_coverage(model, *engine));
  AEGIS_TRY(const FeedSets feeds, feeds_for(model, options));
  constexpr double longest_s = 1e9;  // what a clock can count to from now
  const std::chrono::milliseconds allowed(static_cast<std::int64_t>(std::min(options.deadline_s, longest_s) * 1e3));
  AEGIS_TRY(const auto session,
            engine->prepare(model, RunOptions{.threads = options.threads,
                                              .max_bytes = options.max_host_bytes,
                                              .observer = nullptr,
                                              .deadline = std::chrono::steady_clock::now() + allowed}));
  ModelRun done{.engine = engine->name(), .inputs = feeds.source, .outputs = {}, .ok = {}, .notes = feeds.notes};
  for (std::size_t set = 0; set < feeds.sets.size(); ++set) {
    AEGIS_TRY(const auto expected, expected_of(options, set, feeds.sets.size()));
    AEGIS_TRY(const RunResult result, session->run(feeds.feeds(set)));
    const std::string folder =
        feeds.sets.size() == 1 ? options.out : fmt::format("{}/test_data_set_{}", options.out, set);
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
      const Tensor& tensor = result.outputs[i];
      ModelRun::Output output{.set = feeds.sets[set].label,
                              .name = result.names[i],
                              .dtype = std::string(name(tensor.type)),
                              .shape = tensor.dims,
                              .file = {},
                              .max_abs = {},
                              .ok = {},
                              .reason = {}};
      if (!options.out.empty()) {
        output.file = fmt::format("{}/output_{}.pb", folder, i);
        AEGIS_CHECK(write_bytes(output.file, tensor_to_pb(tensor, output.name)));
      }
      if (const auto at = expected.find(i); at != expected.end()) {
        const Closeness found = close_to(at->second, tensor, options.rtol, options.atol);
        output.max_abs = found.max_abs;
        output.ok = found.ok;
        output.reason = found.reason;
        done.ok = done.ok.value_or(true) && found.ok;
      }
      done.outputs.push_back(std::move(output));
    }
    if (!expected.empty() && expected.rbegin()->first >= result.outputs.size()) {
      done.ok = false;
      done.notes.push_back(fmt::format("output {} is expected, the model has {} outputs", expected.rbegin()->first,
                                       result.outputs.size()));
    }
  }
  return done;
}

}  // namespace aegis
