#include "recast_fixture.hpp"

namespace aegis::recast_test {
namespace {

Model mlp_model(int opset) {
  return parse(opset, R"(g (float[4,2] x) => (float[4,2] y)
    <float[2,2] w1 = {1.0, 0.5, -0.25, 3.0}, float[2] b1 = {0.1, -0.1}, float[2,2] w2 = {1.0, 2.0, 3.0, 4.0}> {
  [fc1] h = MatMul(x, w1)
  [bias] z = Add(h, b1)
  [relu] r = Relu(z)
  [fc2] y = MatMul(r, w2)
})");
}

TEST_CASE("a perceptron becomes narrow between one Cast in and one Cast out") {
  const Model before = mlp_model(17);
  for (const PrecisionOptions& options : {bf16(), fp16()}) {
    const Step step = recast(before, options);
    REQUIRE(step.changed);
    check_sound(before, step, options);
    CHECK(count(step.after, "Cast") == 2);
    CHECK(step.output.nodes_low == 4);
    CHECK(step.output.casts_added == 2);
    CHECK(step.output.wide.empty());
    CHECK(step.after.opset() == 17);
    for (const char* name : {"fc1", "bias", "relu", "fc2"}) CHECK(makes(step.after, name) == options.to);
    CHECK(step.after.constant(step.after.find("w1"))->type == options.to);
  }
}

TEST_CASE("everything kept by the user: nothing is proposed") {
  const Model before = mlp_model(17);
  CHECK_FALSE(recast(before, keeping(bf16(), {"*"})).changed);
  const Step step = recast(before, pinning(bf16(), before, {"fc1", "bias", "relu", "fc2"}));
  CHECK_FALSE(step.changed);
  REQUIRE(step.output.wide.size() == 4);
  CHECK(step.output.wide[0].cause == "PR999");
}

TEST_CASE("causes of wide nodes name the schema's floor, the pin or the user") {
  const Model before = parse(17, R"(g (float[1,1,4,4] x) => (float[1,1,2,2] y) <float[1,1,3,3] w =
      {1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0}> { [conv] c = Conv(x, w) [relu] r = Relu(c) [neg] y = Neg(r) })");
  PrecisionOptions options = keeping(bf16(), {"ne*"});
  options.max_opset = 17;
  const Step step = recast(before, options);
  check_sound(before, step, options);
  REQUIRE(step.output.wide.size() == 2);
  CHECK(step.output.wide[0].cause == "schema: Conv takes bfloat16 from opset 22");
  CHECK(step.output.wide[1].cause == "kept by the user");
  CHECK(makes(step.after, "relu") == DType::bf16);
}

TEST_CASE("a graph output that feeds inner nodes keeps its name on the FLOAT value") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y, float[2,2] z)
      <float[2,2] w = {1.0,2.0,3.0,4.0}> { [a] h = MatMul(x, w) [b] y = Relu(h) [c] z = MatMul(y, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(reads(step.after, "c", 0) == DType::bf16);
  CHECK(count(step.after, "Cast") == 3);
}

TEST_CASE("outputs that are initializers or inputs are left alone") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y, float[4] table, float[2,2] x)
      <float[4] table = {0.0, 1.1, 2.2, 3.3}, float[2,2] w = {1.0,2.0,3.0,4.0}> { [a] y = MatMul(x, w) })");
  const Step step = recast(before, bf16());
  REQUIRE(step.changed);
  CHECK(step.after.constant(step.after.find("table"))->type == DType::f32);
  check_sound(before, step, bf16());
}

TEST_CASE("an initializer that a caller may override stays FLOAT at the interface") {
  const Model before = parse(17, R"(g (float[2,2] x, float[2,2] w) => (float[2,2] y)
      <float[2,2] w = {1.0,2.0,3.0,4.0}> { [a] y = MatMul(x, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(step.after.initializer(step.after.find("w"))->type == DType::f32);
  CHECK(count(step.after, "Cast") == 3);
}

TEST_CASE("data that no arithmetic touches keeps its type") {
  const Model before = parse(17, "g (float[2,3] x) => (float[3,2] y) { [t] a = Transpose(x) [i] y = Identity(a) }");
  CHECK_FALSE(recast(before, bf16()).changed);
}

TEST_CASE("integers and shape data get no Casts; empty optional inputs stay empty") {
  const Model before = parse(22, R"(g (float[1,4,4,4] x) => (float[1,4,9,9] y) <int64[4] sizes = {1, 4, 9, 9}> {
    [relu] r = Relu(x) [up] u = Resize<mode = "linear">(r, "", "", sizes) [tanh] y = Tanh(u) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 2);
  CHECK(node(step.after, "up").inputs[1] == ValueId::none);
}

TEST_CASE("training graphs are refused") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float ratio = {0.5}, bool on = {1}> {
    [drop] d = Dropout(x, ratio, on) [relu] y = Relu(d) })");
  const Step step = recast(before, bf16());
  CHECK_FALSE(step.changed);
  REQUIRE(step.output.refused.size() == 1);
  CHECK(step.output.refused[0].reason == "training");
}

TEST_CASE("a model that ONNX refuses is refused, not repaired by accident") {
  const Model before = parse(17, R"(g (float16[2,8] x, float[2,8] z) => (float16[2,8] y, float[2,8] v) <float[8] s =
      {1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0}> { [ln] y = LayerNormalization(x, s) [relu] v = Relu(z) })");
  const Step step = recast(before, fp16());
  CHECK_FALSE(step.changed);
  REQUIRE(step.output.refused.size() == 1);
  CHECK(step.output.refused[0].reason == "invalid_model");
}

TEST_CASE("every subset of pins gives a sound model") {
  const Model before = parse(17, R"(g (float[2,4] x, bool c) => (float[2,4] y, float[2,4] u)
      <float[4,4] w = {1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0}, float two = {2.0},
       float[4] s = {1.0,1.0,1.0,1.0}> {
    [n0] a = MatMul(x, w)
    [n1] u = Add(a, s)
    [n2] p = Pow(u, two)
    [n3] i = If(c) <then_branch = t () => (float[2,4] q) { [n4] q = Mul(p, s) },
                    else_branch = e () => (float[2,4] r) { [n5] r = MatMul(p, w) }>
    [n6] l = LayerNormalization(i, s)
    [n7] y = MatMul(l, w)
  })");
  for (unsigned subset = 0; subset < 256; ++subset) {
    std::vector<std::string> pins;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((subset >> bit & 1U) != 0) pins.push_back("n" + std::to_string(bit));
    }
    CAPTURE(subset);
    PrecisionOptions options = subset % 2 == 0 ? bf16() : fp16();
    options.keep = pins;
    const Step step = recast(before, options);
    check_sound(before, step, options);
    for (const std::string& name : pins) {
      for (const ValueId output : node(step.after, name).outputs) {
        CHECK(infer(step.after, {}).of(output).dtype == DType::f32);
      }
    }
    CHECK(step.changed == ((subset | 8U) != 255U));  // n3 only carries data
  }
}

}  // namespace
}  // namespace aegis::recast_test
