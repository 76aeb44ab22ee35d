#include "linter/examples.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "model/load.hpp"
#include "model/save.hpp"

namespace aegis {

static Error wrong(std::string message, std::string where) {
  return {.fault = Fault::usage, .code = {}, .message = std::move(message), .where = std::move(where), .notes = {}};
}

static std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

namespace {

struct Filling {
  std::string input;
  double mean = 0, deviation = -1;  // below 0: one over the root of the fan-in
};

Result<Filling> filling_of(const std::string& text) {
  Filling out;
  const std::size_t equals = text.find('=');
  out.input = text.substr(0, equals);
  if (equals == std::string::npos) return out;
  const std::string_view how = std::string_view(text).substr(equals + 1);
  const std::size_t open = how.find('(');
  if (open == std::string_view::npos || how.back() != ')') {
    return wrong(
        fmt::format("the weights are `{}`, expected NAME, NAME=normal(MEAN,DEVIATION) or NAME=const(NUMBER)", text),
        "weights");
  }
  const auto numbers = split(how.substr(open + 1, how.size() - open - 2), ',');
  const auto number = [&](std::size_t i) {
    return i < numbers.size() ? std::strtod(numbers[i].c_str(), nullptr) : 0.0;
  };
  out.mean = number(0);
  out.deviation = how.substr(0, open) == "normal" ? number(1) : 0;
  return out;
}

// Normal numbers from a counter, equal on every platform with the same libm. Large tensors repeat them: rules look at
// shapes and at distributions, not at single weights.
std::vector<float> normal_block(double mean, double deviation) {
  std::vector<float> out(4096);
  std::uint64_t state = 20240229;
  const auto uniform = [&] {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (static_cast<double>((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
  };
  for (float& value : out) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    value = static_cast<float>(mean + deviation * radius * std::cos(6.283185307179586 * uniform()));
  }
  return out;
}

Result<void> make_initializer(onnx::GraphProto& graph, const Filling& filling) {
  auto& inputs = *graph.mutable_input();
  int at = -1;
  for (int i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name() == filling.input) at = i;
  }
  if (at < 0)
    return wrong(fmt::format("the weights name `{}`, which is no input of the example", filling.input), "weights");
  const onnx::TypeProto::Tensor type = inputs[at].type().tensor_type();
  inputs.DeleteSubrange(at, 1);
  if (type.elem_type() != onnx::TensorProto::FLOAT) return wrong("weights are FLOAT in examples", filling.input);
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(filling.input);
  tensor.set_data_type(type.elem_type());
  std::int64_t count = 1;
  for (const auto& dim : type.shape().dim()) {
    tensor.add_dims(dim.dim_value());
    count *= dim.dim_value();
  }
  const double fan_in = type.shape().dim_size() > 1 ? static_cast<double>(count / type.shape().dim(0).dim_value()) : 1;
  const double deviation = filling.deviation < 0 ? 1 / std::sqrt(std::max(fan_in, 1.0)) : filling.deviation;
  const std::vector<float> block = normal_block(filling.mean, deviation);
  std::string bytes(static_cast<std::size_t>(count) * sizeof(float), '\0');
  for (std::size_t at_byte = 0; at_byte < bytes.size(); at_byte += block.size() * sizeof(float)) {
    std::memcpy(bytes.data() + at_byte, block.data(), std::min(block.size() * sizeof(float), bytes.size() - at_byte));
  }
  tensor.set_raw_data(std::move(bytes));
  return {};
}

}  // namespace

Result<Model> example_model(const RuleExample& example) {
  AEGIS_TRY(Model model, parse_text(example.text));
  if (example.weights.empty()) return model;
  onnx::ModelProto proto;
  AEGIS_CHECK(complete_proto(model, proto));
  for (const std::string& text : split(example.weights, ';')) {
    AEGIS_TRY(const Filling filling, filling_of(text));
    AEGIS_CHECK(make_initializer(*proto.mutable_graph(), filling));
  }
  std::string bytes;
  if (!proto.SerializeToString(&bytes))
    return wrong("the example is too large, expected less than 2 GiB", example.text);
  return load_bytes(std::move(bytes), "");
}

// The words of the command line that examples use: --no-assume, --preview, --weights, --bind, --range, --runtime.
static Result<void> take_words(const std::string& with, Binding& binding, LintOptions& options) {
  const auto words = split(with, ' ');
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string value = i + 1 < words.size() ? words[i + 1] : std::string();
    const std::size_t equals = value.find('='), colon = value.find(':');
    if (words[i] == "--no-assume") {
      binding.assume = false;
    } else if (words[i] == "--weights") {
      options.weights = true;
    } else if (words[i] == "--bind" && equals != std::string::npos) {
      binding.symbols[value.substr(0, equals)] = std::strtoll(value.c_str() + equals + 1, nullptr, 10);
      ++i;
    } else if (words[i] == "--range" && equals < colon && colon != std::string::npos) {
      options.ranges[value.substr(0, equals)] = {std::strtod(value.c_str() + equals + 1, nullptr),
                                                 std::strtod(value.c_str() + colon + 1, nullptr)};
      ++i;
    } else {
      return wrong(
          fmt::format("the example says `{}`, expected --no-assume, --weights, --bind NAME=N or --range NAME=LO:HI",
                      words[i]),
          "with");
    }
  }
  return {};
}

Result<LintResult> run_example(const Rule& rule, const RuleExample& example, const Evaluator* evaluator,
                               const RuleBook* book) {
  AEGIS_TRY(const Model model, example_model(example));
  AEGIS_TRY(const DeviceTable devices, DeviceTable::builtin());
  AEGIS_TRY(const Target target, devices.find(example.target));
  Binding binding;
  binding.assume = true;
  LintOptions options;
  options.book = book;
  options.targets = {&target};
  options.select = {rule.code};
  options.weights = rule.weights;
  options.evaluator = evaluator;
  if (!example.as.empty()) {
    const auto as = compute_from_name(example.as);
    if (!as) return wrong(fmt::format("the example runs as `{}`, expected a type such as bf16", example.as), "as");
    options.as = {*as};
  }
  if (!example.runtime.empty()) {
    const auto runtime = runtime_from_name(example.runtime);
    if (!runtime) return wrong(fmt::format("the example runs on `{}`, expected a runtime", example.runtime), "runtime");
    options.runtime = *runtime;
  }
  AEGIS_CHECK(take_words(example.with, binding, options));
  return lint(model, binding, options);
}

}  // namespace aegis
