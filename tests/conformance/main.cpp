// Runs ONNX's node test cases on the CPU engine and prints a table per operator.
//
//   conformance_nodes FOLDER [PATTERN]
//
// FOLDER holds what tools/node_cases.py wrote; only cases whose name contains PATTERN run. A case that uses an operator
// or a kind of value which the engine does not know counts as unsupported. Exit 1 when a case whose operators all exist
// gives other values than expected, unless overrides.tsv names it, when a case that overrides.tsv names passes, or when
// a run without PATTERN passes another number of cases than floor.txt says: fewer is a loss, more is a gain to write
// down.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "model/load.hpp"
#include "model/tensor_pb.hpp"

namespace {

namespace fs = std::filesystem;
using namespace aegis;

enum class Outcome { pass, fail, unsupported };
struct Verdict {
  Outcome outcome = Outcome::pass;
  std::string why;
};

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// name -> reason, from lines "name<tab>reason".
std::map<std::string, std::string> read_overrides(const fs::path& path) {
  std::map<std::string, std::string> overrides;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto tab = line.find('\t');
    if (tab != std::string::npos && line[0] != '#') overrides[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return overrides;
}

std::string shape(const Tensor& tensor) {
  return fmt::format("{}[{}]", name(tensor.type), fmt::join(tensor.dims, ", "));
}

// Empty when equal within the suite's tolerance.
std::string difference(const Tensor& expected, const Tensor& actual) {
  if (expected.type != actual.type || expected.dims != actual.dims)
    return fmt::format("expected {}, got {}", shape(expected), shape(actual));
  const auto want = to_doubles(expected), got = to_doubles(actual);
  if (!want || !got) {  // 8-bit floats and packed types: by their bytes
    const auto bytes =
        static_cast<std::ptrdiff_t>(raw_bytes(expected.type, static_cast<std::uint64_t>(expected.elements())));
    const bool equal = std::equal(expected.data->begin(), expected.data->begin() + bytes, actual.data->begin());
    return equal ? "" : "the bytes differ";
  }
  const double relative = expected.type == DType::bf16 ? 0x1p-6 : 1e-3, absolute = 1e-7;
  for (std::size_t i = 0; i < want->size(); ++i) {
    const double x = (*want)[i], y = (*got)[i];
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const bool close = is_float(expected.type) && std::isfinite(x) && std::isfinite(y) &&
                       std::abs(x - y) <= absolute + relative * std::abs(x);
    if (!close) return fmt::format("element {}: expected {}, got {}", i, x, y);
  }
  return {};
}

Verdict run_data_set(const Model& model, const fs::path& folder) {
  Feeds feeds;
  const auto& inputs = model.main().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const fs::path file = folder / fmt::format("input_{}.pb", i);
    if (!fs::exists(file)) continue;
    auto read = tensor_from_pb(read_file(file));
    if (!read || !read->tensor.data) return {Outcome::unsupported, "an input is not a numeric tensor"};
    feeds[std::string(model.value(inputs[i]).name)] = std::move(read->tensor);
  }
  const auto result = run(model, feeds, {});
  if (!result) {
    const std::string& message = result.error().message;
    const bool unknown = message.find("cannot run on the cpu engine") != std::string::npos;
    return {unknown ? Outcome::unsupported : Outcome::fail, message};
  }
  for (std::size_t i = 0; i < result->outputs.size(); ++i) {
    const fs::path file = folder / fmt::format("output_{}.pb", i);
    if (!fs::exists(file)) continue;
    const auto expected = tensor_from_pb(read_file(file));
    if (!expected) return {Outcome::unsupported, "an output is not a numeric tensor"};
    const std::string found = difference(expected->tensor, result->outputs[i]);
    if (!found.empty()) return {Outcome::fail, fmt::format("output {}: {}", i, found)};
  }
  return {};
}

Verdict run_case(const Model& model, const fs::path& folder) {
  const auto missing = unsupported(model);
  if (!missing.empty()) return {Outcome::unsupported, missing.front().reason};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    Verdict verdict = run_data_set(model, entry.path());
    if (verdict.outcome != Outcome::pass) return verdict;
  }
  return {};
}

// The number of cases that passed when it was last written down; it may only rise.
int read_floor(const fs::path& path) {
  std::ifstream in(path);
  int floor = -1;
  in >> floor;
  return floor;
}

struct Count {
  int pass = 0, fail = 0, unsupported = 0;
  void add(Outcome outcome) { ++(outcome == Outcome::pass ? pass : outcome == Outcome::fail ? fail : unsupported); }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: conformance_nodes FOLDER [PATTERN]\n");
    return 2;
  }
  const std::string pattern = argc > 2 ? argv[2] : "";
  const auto overrides = read_overrides(fs::path(AEGIS_SOURCE_DIR) / "tests/conformance/overrides.tsv");
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(argv[1]))
    if (fs::exists(entry.path() / "model.onnx")) cases.push_back(entry.path());
  std::ranges::sort(cases);

  std::map<std::string, Count> by_op;
  Count total;
  int wrong = 0;
  for (const fs::path& folder : cases) {
    const std::string case_name = folder.filename();
    if (case_name.find(pattern) == std::string::npos) continue;
    const auto model = load(folder / "model.onnx");
    const Verdict verdict = model ? run_case(*model, folder) : Verdict{Outcome::fail, model.error().message};
    total.add(verdict.outcome);
    if (model) {
      std::set<std::string> ops;
      for (const Node& node : model->nodes())
        if (node.alive)
          ops.insert(node.domain.empty() ? std::string(node.op) : fmt::format("{}.{}", node.domain, node.op));
      for (const std::string& op : ops) by_op[op].add(verdict.outcome);
    }
    const auto known = overrides.find(case_name);
    if (known != overrides.end() && verdict.outcome == Outcome::pass) {
      fmt::print("{}: passes, but overrides.tsv says that it does not; drop its line\n", case_name);
      ++wrong;
    } else if (verdict.outcome == Outcome::fail) {
      fmt::print("{}: {}{}\n", case_name, verdict.why,
                 known != overrides.end() ? " (known: " + known->second + ")" : "");
      if (known == overrides.end()) ++wrong;
    } else if (!pattern.empty()) {
      fmt::print("{}: {}\n", case_name, verdict.outcome == Outcome::pass ? "pass" : "unsupported: " + verdict.why);
    }
  }
  fmt::print("\n{:<40} {:>5} {:>5} {:>12}\n", "cases with", "pass", "fail", "unsupported");
  for (const auto& [op, count] : by_op)
    fmt::print("{:<40} {:>5} {:>5} {:>12}\n", op, count.pass, count.fail, count.unsupported);
  fmt::print("{:<40} {:>5} {:>5} {:>12}   of {}\n", "all cases", total.pass, total.fail, total.unsupported,
             total.pass + total.fail + total.unsupported);
  const int floor = read_floor(fs::path(AEGIS_SOURCE_DIR) / "tests/conformance/floor.txt");
  if (pattern.empty() && total.pass != floor) {
    fmt::print("{} cases pass, floor.txt says {}: {}\n", total.pass, floor,
               total.pass < floor ? "an operator was lost" : "raise the number there");
    ++wrong;
  }
  return wrong == 0 ? 0 : 1;
}
