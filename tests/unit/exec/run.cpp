// Whole models through the session: constants, shapes that depend on values, control flow, limits and errors.
#include "exec/run.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

#include "model/load.hpp"
#include "ops/infer.hpp"
#include "random.hpp"

using namespace aegis;
using namespace aegis::test;

namespace {

Model parsed(std::string_view text) {
  auto model = parse_text(text);
  if (!model) FAIL(model.error().message);
  return *model;
}
std::vector<Tensor> outputs(const Model& model, const Feeds& feeds, const RunOptions& options = {}) {
  auto result = run(model, feeds, options);
  if (!result) FAIL(result.error().message);
  return result->outputs;
}
Tensor floats(std::vector<std::int64_t> dims, std::vector<double> values) {
  return from_doubles(DType::f32, std::move(dims), values);
}
Tensor integers(std::vector<std::int64_t> dims, std::vector<std::int64_t> values) {
  return from_integers(std::move(dims), values);
}

const char* const mlp = R"(
<ir_version: 8, opset_import: ["" : 17]>
mlp (float[batch, 4] x) => (float[batch, 3] y)
<float[4, 5] w = {0.1, -0.2, 0.3, 0.4, 0.5, 1.1, -1.2, 1.3, 1.4, 1.5, -0.1, 0.2, -0.3, 0.4, -0.5, 2, -2, 2, -2, 2},
 float[5] b = {0.5, 0, -0.5, 1, -1},
 float[3, 5] v = {1, 2, 3, 4, 5, -1, -2, -3, -4, -5, 0.5, 0.25, 0.125, 1, 0}>
{
  h = MatMul(x, w)
  a = Add(h, b)
  r = Relu(a)
  g = Gemm <transB = 1> (r, v)
  y = Softmax(g)
})";

}  // namespace

TEST_CASE("a perceptron gives the values that hand calculation gives, at any batch") {
  const Model model = parsed(mlp);
  const auto one = outputs(model, {{"x", floats({1, 4}, {1, 0, 0, 0})}});
  // h + b = 0.6 -0.2 -0.2 1.4 -0.5, relu 0.6 0 0 1.4 0; times v: 6.2, -6.2, 1.7
  const double e0 = 1, e1 = std::exp(-12.4), e2 = std::exp(-4.5), total = e0 + e1 + e2;
  const auto y = doubles(one[0]);
  REQUIRE(one[0].dims == std::vector<std::int64_t>{1, 3});
  CHECK(std::abs(y[0] - e0 / total) < 1e-6);
  CHECK(std::abs(y[1] - e1 / total) < 1e-6);
  CHECK(std::abs(y[2] - e2 / total) < 1e-6);
  auto session = Session::prepare(model, {});
  REQUIRE(session);
  for (const std::int64_t batch : {3, 1, 3, 0}) {
    const auto many = session->run({{"x", Tensor::zeros(DType::f32, {batch, 4})}});
    REQUIRE(many);
    CHECK(many->outputs[0].dims == std::vector<std::int64_t>{batch, 3});
  }
}

TEST_CASE("one thread and several give the same bits") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 3, 33, 31] x, float[7, 3, 3, 3] w, float[7, 15] v) => (float[2, 7] y, float[2, 15] z)
{
  c = Conv <pads = [1, 1, 1, 1]> (x, w)
  t = Tanh(c)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (t)
  g = GlobalAveragePool(p)
  y = Flatten(g)
  m = MatMul(y, v)
  z = Softmax(m)
})");
  Random random(5);
  const Feeds feeds{{"x", random.tensor(DType::f32, {2, 3, 33, 31})},
                    {"w", random.tensor(DType::f32, {7, 3, 3, 3})},
                    {"v", random.tensor(DType::f32, {7, 15})}};
  const auto alone = outputs(model, feeds, {.threads = 1}), together = outputs(model, feeds, {.threads = 4});
  CHECK(same_bits(alone[0], together[0]));
  CHECK(same_bits(alone[1], together[1]));
}

TEST_CASE("bfloat16 rounds once per operator output") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (bfloat16[3] x, bfloat16[3] y) => (bfloat16[3] z)
{
  s = Add(x, y)
  z = Mul(s, s)
})");
  const auto z = doubles(
      outputs(model, {{"x", from_doubles(DType::bf16, {3}, std::vector<double>{1, 256, 3})},
                      {"y", from_doubles(DType::bf16, {3}, std::vector<double>{0.00390625, 1, 0.0078125})}})[0]);
  CHECK(z == std::vector<double>{1, 65536, 9});  // 256 + 1 is a tie and goes to even
}

TEST_CASE("subnormals survive where the caller flushes them, and the caller keeps its setting") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[1] x, float[1] y) => (float[1] z) { z = Mul(x, y) })");
  const Feeds feeds{{"x", floats({1}, {1e-30})}, {"y", floats({1}, {1e-10})}};
#ifdef __x86_64__
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  const auto z = outputs(model, feeds);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  CHECK((after & 0x8040u) == 0x8040u);
#else
  const auto z = outputs(model, feeds);
#endif
  CHECK(doubles(z[0])[0] > 0.9e-40);
}

TEST_CASE("shape arithmetic and targets that depend on a value both work") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[n, 2, 3] x, int64[k] target) => (float[a, b] y, float[c, d] z)
<int64[1] zero = {0}, int64[1] minus = {-1}>
{
  s = Shape(x)
  first = Gather <axis = 0> (s, zero)
  wanted = Concat <axis = 0> (first, minus)
  y = Reshape(x, wanted)
  z = Reshape(x, target)
})");
  const auto result =
      outputs(model, {{"x", Tensor::zeros(DType::f32, {5, 2, 3})}, {"target", integers({2}, {15, -1})}});
  CHECK(result[0].dims == std::vector<std::int64_t>{5, 6});
  CHECK(result[1].dims == std::vector<std::int64_t>{15, 2});
  const auto other = outputs(model, {{"x", Tensor::zeros(DType::f32, {5, 2, 3})}, {"target", integers({2}, {3, 10})}});
  CHECK(other[1].dims == std::vector<std::int64_t>{3, 10});
}

TEST_CASE("an If runs the branch that its condition picks, with values of the outside") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x, bool c) => (float[2] y)
{
  d = Add(x, x)
  y = If (c) <then_branch = yes () => (float[2] a) { a = Add(d, x) },
              else_branch = no () => (float[2] b) { b = Neg(x) }>
})");
  Tensor condition = Tensor::zeros(DType::boolean, {});
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 2})}, {"c", condition}})[0]) == std::vector<double>{-1, -2});
  *condition.as_mutable<std::uint8_t>() = 1;
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 2})}, {"c", condition}})[0]) == std::vector<double>{3, 6});
}

TEST_CASE("a Loop carries values and stacks scan outputs") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (int64 trips, float[2] start, float[2] step) => (float[2] last, float[n, 2] all)
<bool yes = {1}>
{
  last, all = Loop (trips, yes, start) <body = each (int64 i, bool go, float[2] sum) => (bool on, float[2] next, float[2] seen) {
    on = Identity(go)
    next = Add(sum, step)
    seen = Mul(sum, sum)
  }>
})");
  const Feeds feeds{{"trips", integers({}, {3})}, {"start", floats({2}, {1, 2})}, {"step", floats({2}, {1, 0.5})}};
  const auto result = outputs(model, feeds);
  CHECK(doubles(result[0]) == std::vector<double>{4, 3.5});
  CHECK(result[1].dims == std::vector<std::int64_t>{3, 2});
  CHECK(doubles(result[1]) == std::vector<double>{1, 4, 4, 6.25, 9, 9});
  const auto none =
      outputs(model, {{"trips", integers({}, {0})}, {"start", floats({2}, {1, 2})}, {"step", floats({2}, {1, 1})}});
  CHECK(none[1].dims == std::vector<std::int64_t>{0, 2});
}

TEST_CASE("a model-local function runs where it is called, twice") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
net (float[2] x) => (float[2] y)
{
  h = own.twice(x)
  y = own.twice(h)
}
<domain: "own", opset_import: ["" : 17]>
twice (a) => (b)
{
  b = Add(a, a)
})");
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 3})}})[0]) == std::vector<double>{4, 12});
}

TEST_CASE("a function's attributes come from the call, its defaults, or the call around it") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
net (float[2] x) => (float[2] a, float[2] b, float[2] c)
{
  a = own.leak <slope = 0.5> (x)
  b = own.leak <slope = 0.25> (x)
  c = own.outer <steep = 2.0> (x)
}
<domain: "own", opset_import: ["" : 17]>
leak <slope> (v) => (w)
{
  w = LeakyRelu <alpha : float = @slope> (v)
}
<domain: "own", opset_import: ["" : 17, "own" : 1]>
outer <steep> (v) => (w)
{
  w = own.leak <slope : float = @steep> (v)
})");
  const auto result = outputs(model, {{"x", floats({2}, {-1, 3})}});
  CHECK(doubles(result[0]) == std::vector<double>{-0.5, 3});
  CHECK(doubles(result[1]) == std::vector<double>{-0.25, 3});
  CHECK(doubles(result[2]) == std::vector<double>{-2, 3});
}

TEST_CASE("nodes may stand before the nodes they read from") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x) => (float[2] y)
{
  y = Neg(h)
  h = Add(x, x)
})");
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 3})}})[0]) == std::vector<double>{-2, -6});
}

TEST_CASE("the observer sees every value of the main graph once") {
  struct Count : Observer {
    std::map<ValueId, int> seen;
    void value(NodeId, ValueId id, const Tensor&) override { ++seen[id]; }
  } count;
  const Model model = parsed(mlp);
  RunOptions options;
  options.observer = &count;
  outputs(model, {{"x", Tensor::zeros(DType::f32, {2, 4})}}, options);
  for (const char* name : {"h", "a", "r", "g", "y"}) CHECK(count.seen[model.find(name)] == 1);
  CHECK(count.seen.size() == 5);
}

TEST_CASE("an overridable initializer gives its preset unless it is fed") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[2] x, float[2] k = {10, 20}) => (float[2] y) { y = Add(x, k) })");
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 2})}})[0]) == std::vector<double>{11, 22});
  CHECK(doubles(outputs(model, {{"x", floats({2}, {1, 2})}, {"k", floats({2}, {0, 1})}})[0]) ==
        std::vector<double>{1, 3});
}

TEST_CASE("errors name the node and what is wrong") {
  const Model gather = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[3] x, int64[1] i) => (float[1] y) { [pick] y = Gather(x, i) })");
  const auto outside = run(gather, {{"x", Tensor::zeros(DType::f32, {3})}, {"i", integers({1}, {3})}}, {});
  REQUIRE_FALSE(outside);
  CHECK(outside.error().where == "pick");
  CHECK(outside.error().message.find("index 3 is outside an axis of 3") != std::string::npos);
  CHECK_FALSE(run(gather, {{"x", Tensor::zeros(DType::f32, {3})}}, {}));
  CHECK_FALSE(
      run(gather, {{"x", Tensor::zeros(DType::f32, {3})}, {"i", integers({1}, {0})}, {"j", integers({1}, {0})}}, {}));

  const Model huge = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (int64[2] s) => (float[a, b] y) { y = ConstantOfShape(s) })");
  RunOptions small;
  small.max_bytes = 1 << 20;
  const auto over = run(huge, {{"s", integers({2}, {1024, 1024})}}, small);
  REQUIRE_FALSE(over);
  CHECK(over.error().message.find("the limit is 1048576") != std::string::npos);
}

TEST_CASE("operators without a lowering are listed, not run") {
  const Model model = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[3, 4, 4] x) => (float[3, a, b] y) { y = Det(x) })");
  const auto missing = unsupported(model);
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].reason == "Det (ai.onnx) at opset 17");
  CHECK(unsupported(parsed(mlp)).empty());
}

TEST_CASE("the evaluator computes one node from the tensors of its inputs") {
  const Model model = parsed(mlp);
  const Node& add = model.node(model.value(model.find("a")).producer);
  const Tensor x = floats({1, 5}, {1, 2, 3, 4, 5}), b = floats({5}, {1, 1, 1, 1, 1});
  const Tensor* const inputs[] = {&x, &b};
  const auto sum = CpuEvaluator().evaluate(model, add, inputs);
  REQUIRE(sum);
  CHECK(doubles((*sum)[0]) == std::vector<double>{2, 3, 4, 5, 6});
}

TEST_CASE("operands that do not fit are refused before anything is read") {
  const char* const graphs[] = {
      "g (float[2, 3] x, float[4, 5] w) => (float[2, 5] y) { y = Gemm(x, w) }",
      "g (float[2, 3] x, float[5] w) => (float[2, 3] y) { y = Gemm(x, x, w) }",
      "g (float[1, 3, 5, 5] x, float[4, 2, 3, 3] w) => (float[1, 4, 3, 3] y) { y = Conv(x, w) }",
      "g (float[1, 3, 5] x, float[2] w) => (float[1, 3, 5] y) { y = InstanceNormalization(x, w, w) }",
      "g (float[3, 5] x, float[2] w) => (float[3, 5] y) { y = LayerNormalization(x, w) }",
      "g (float[3, 5] x, float[2] w) => (float[3, 5] y) { y = BatchNormalization(x, w, w, w, w) }",
  };
  for (const char* graph : graphs) {
    INFO(graph);
    const Model model = parsed(std::string("<ir_version: 8, opset_import: [\"\" : 17]>\n") + graph);
    Feeds feeds;
    for (const ValueId id : model.main().inputs) {
      const TypeTable types = infer(model, {});
      feeds[std::string(model.value(id).name)] = Tensor::zeros(DType::f32, *types.of(id).shape());
    }
    CHECK_FALSE(run(model, feeds, {}));
  }
  const Model scatter = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[3] x, int64[2, 1] i, float[1] u) => (float[3] y) { y = ScatterND(x, i, u) })");
  CHECK_FALSE(run(
      scatter,
      {{"x", Tensor::zeros(DType::f32, {3})}, {"i", integers({2, 1}, {0, 1})}, {"u", Tensor::zeros(DType::f32, {1})}},
      {}));
}
