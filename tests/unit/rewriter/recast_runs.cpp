#include <cmath>
#include <random>

#include "exec/run.hpp"
#include "recast_fixture.hpp"
#include "rewriter/recast/raise.hpp"
#include "validator/inputs/read_inputs.hpp"

namespace aegis::recast_test {
namespace {

std::vector<double> outputs(const Model& model, const Feeds& feeds) {
  auto ran = aegis::run(model, feeds, {});
  if (!ran) FAIL(ran.error().message);
  std::vector<double> all;
  for (const Tensor& tensor : ran->outputs) {
    const auto values = to_doubles(tensor);
    REQUIRE(values);
    all.insert(all.end(), values->begin(), values->end());
  }
  return all;
}

Feeds normal_feeds(const Model& model) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const TypeTable types = infer(model, {});
  Feeds feeds;
  for (const ValueId input : model.main().inputs) {
    if (model.value(input).initializer) continue;
    const auto shape = types.of(input).shape();
    REQUIRE(shape);
    std::vector<double> values(static_cast<std::size_t>(element_count(*shape)));
    for (double& value : values) value = normal(random);
    feeds.emplace(model.value(input).name, from_doubles(types.of(input).dtype, *shape, values));
  }
  return feeds;
}

double relative_l2(const std::vector<double>& expected, const std::vector<double>& actual) {
  REQUIRE(expected.size() == actual.size());
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += (expected[i] - actual[i]) * (expected[i] - actual[i]);
    norm += expected[i] * expected[i];
  }
  return std::sqrt(error / norm);
}

TEST_CASE("a raised model computes what it computed") {
  const std::vector<std::pair<int, std::string_view>> models{
      {11, "g (float[2,3,4] x) => (float[2,3,4] y) { y = Softmax(x) }"},
      {12,
       R"(g (float[2,3,4] x) => (float[2] y) { a = ReduceMean<axes = [2], keepdims = 1>(x) b = Squeeze<axes = [2]>(a)
              y = ReduceSum<axes = [1], keepdims = 0>(b) })"},
      {9, R"(g (float[2,8] x) => (float[1,2,2] y, float[2,4] z) { s = Slice<axes = [1], ends = [6], starts = [0]>(x)
             a, b = Split<axis = 1, split = [2, 4]>(s) u = Unsqueeze<axes = [0]>(a) y = Neg(u) z = Neg(b) })"},
      {13,
       R"(g (float[1,4,2,2] x) => (float[1,4,2,2] y) <float[4] s = {2.0, 3.0, 1.0, 0.5}, float[4] b = {0.5, -0.5, 0.0, 1.0},
              float[4] m = {0.1, 0.2, 0.3, 0.4}, float[4] v = {1.0, 2.0, 0.5, 1.5}> { y = BatchNormalization(x, s, b, m, v) })"}};
  for (const auto& [opset, text] : models) {
    CAPTURE(text);
    const Model before = parse(opset, text);
    const auto patch = recast::raise(before, infer(before, {}), 22);
    REQUIRE(patch);
    const auto after = aegis::apply(before, {&*patch, 1});
    REQUIRE(after);
    const Feeds feeds = normal_feeds(before);
    CHECK(relative_l2(outputs(before, feeds), outputs(*after, feeds)) < 1e-6);
  }
}

TEST_CASE("a raised group normalisation computes what its groups computed") {
  const Model before =
      parse(18, R"(g (float[1,4,2,2] x) => (float[1,4,2,2] y) <float[2] s = {2.0, 3.0}, float[2] b = {0.5, -0.5}> {
    y = GroupNormalization<num_groups = 2>(x, s, b) })");
  const Model by_hand =
      parse(18, R"(g (float[1,4,2,2] x) => (float[1,4,2,2] y) <float[2] s = {2.0, 3.0}, float[2] b = {0.5, -0.5},
      int64[3] groups = {1, 2, 8}, int64[4] back = {1, 4, 2, 2}> {
    g = Reshape(x, groups) n = InstanceNormalization(g, s, b) y = Reshape(n, back) })");
  const auto patch = recast::raise(before, infer(before, {}), 21);
  REQUIRE(patch);
  const auto after = aegis::apply(before, {&*patch, 1});
  REQUIRE(after);
  const Feeds feeds = normal_feeds(before);
  CHECK(relative_l2(outputs(by_hand, feeds), outputs(*after, feeds)) < 1e-6);
}

TEST_CASE("a transformer block stays within the error of its formats") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const auto weights = [&](int rows, int columns) {
    std::string text = "{";
    for (int i = 0; i < rows * columns; ++i)
      text += (i > 0 ? "," : "") + std::to_string(normal(random) / std::sqrt(rows));
    return text + "}";
  };
  const Model before = parse(17, "g (float[1,8,16] x) => (float[1,8,16] y) <float[16,16] q = " + weights(16, 16) +
                                     ", float[16,16] k = " + weights(16, 16) + ", float[16,16] v = " + weights(16, 16) +
                                     ", float[16] s = " + weights(16, 1) + R"(> {
    a = MatMul(x, q) b = MatMul(x, k) t = Transpose<perm = [0, 2, 1]>(b) c = MatMul(a, t) p = Softmax(c)
    d = MatMul(x, v) e = MatMul(p, d) r = Add(e, x) y = LayerNormalization(r, s) })");
  const Feeds feeds = normal_feeds(before);
  const std::vector<double> expected = outputs(before, feeds);
  const Step low = recast(before, bf16()), half = recast(before, fp16());
  CHECK(low.after.opset() == 17);
  const double low_error = relative_l2(expected, outputs(low.after, feeds));
  const double half_error = relative_l2(expected, outputs(half.after, feeds));
  CHECK(low_error > 5e-4);  // it did round
  CHECK(low_error < 2e-2);
  CHECK(half_error < 2e-3);
}

TEST_CASE("the digits network keeps its score") {
  const std::string folder = AEGIS_SOURCE_DIR "/examples/digits/";
  auto before = load(folder + "digits.onnx");
  REQUIRE(before);
  const auto labels = read_labels(folder + "labels.npy");
  REQUIRE(labels);
  const auto score = [&](const Model& model) {
    const auto specs = input_specs(model, infer(model, {}));
    REQUIRE(specs);
    const auto sets = read_inputs(folder + "heldout.npz", *specs);
    if (!sets) FAIL(sets.error().message);
    std::size_t seen = 0, hits = 0;
    for (std::size_t set = 0; set < sets->sets.size(); ++set) {
      const std::vector<double> logits = outputs(model, sets->feeds(set));
      for (std::size_t row = 0; row < logits.size() / 10; ++row, ++seen) {
        const auto first = logits.begin() + static_cast<std::ptrdiff_t>(10 * row);
        hits += std::max_element(first, first + 10) - first == (*labels)[seen] ? 1 : 0;
      }
    }
    REQUIRE(seen == labels->size());
    return static_cast<double>(hits) / static_cast<double>(seen);
  };
  const double reference = score(*before);
  CHECK(reference > 0.95);
  for (PrecisionOptions options : {bf16(), fp16()}) {
    options.runtime = "any";
    const Step step = recast(*before, options);
    check_sound(*before, step, options);
    CHECK(step.output.wide.empty());
    CHECK(count(step.after, "Cast") == 2);
    CHECK(std::abs(score(step.after) - reference) < 0.01);
  }
}

}  // namespace
}  // namespace aegis::recast_test
