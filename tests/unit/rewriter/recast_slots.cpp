#include "recast_fixture.hpp"

namespace aegis::recast_test {
namespace {

TEST_CASE("scales of Resize stay FLOAT; a constant with two roles splits") {
  const Model before = parse(22, R"(g (float[1,4,4,4] x) => (float[1,4,8,8] y)
      <float[4] sc = {1.0, 1.0, 2.0, 2.0}, int64[4] shape = {1, 4, 1, 1}> {
    [up] u = Resize<mode = "nearest">(x, "", sc) [reshape] r = Reshape(sc, shape) [mul] y = Mul(u, r) })");
  for (const PrecisionOptions& options : {bf16(), fp16()}) {
    const Step step = recast(before, options);
    check_sound(before, step, options);
    CHECK(reads(step.after, "up", 2) == DType::f32);
    CHECK(reads(step.after, "up", 0) == options.to);
    CHECK(reads(step.after, "reshape", 0) == options.to);
  }
}

TEST_CASE("free inputs keep FLOAT without a Cast") {
  const Model pow =
      parse(13, R"(g (float[2,8] x) => (float[2,8] y) <float p = {2.0}> { [abs] a = Abs(x) [pow] y = Pow(a, p) })");
  PrecisionOptions options = bf16();
  const Step powered = recast(pow, options);
  check_sound(pow, powered, options);
  CHECK(powered.after.opset() == 13);
  CHECK(reads(powered.after, "pow", 0) == DType::bf16);
  CHECK(reads(powered.after, "pow", 1) == DType::f32);

  const Model norm = parse(22, R"(g (float[1,2,3,3] x) => (float[1,2,3,3] y)
      <float[2] s = {1.0, 1.0}, float[2] b = {0.0, 0.0}, float[2] m = {0.0, 0.0}, float[2] v = {1.0, 1.0}> {
    [bn] n = BatchNormalization(x, s, b, m, v) [relu] y = Relu(n) })");
  const Step normed = recast(norm, options);
  check_sound(norm, normed, options);
  CHECK(reads(normed.after, "bn", 0) == DType::bf16);
  for (std::size_t slot = 1; slot < 5; ++slot) CHECK(reads(normed.after, "bn", slot) == DType::f32);
}

TEST_CASE("slots that share the type of the data follow it") {
  const Model before =
      parse(17, R"(g (float[2,4] x) => (float[2,4] y) <float[4] s = {1.0, 1.0, 1.0, 1.0}, float hi = {6.0}> {
    [ln] n = LayerNormalization(x, s, s) [clip] y = Clip(n, "", hi) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(reads(step.after, "ln", 1) == DType::f16);
  CHECK(reads(step.after, "clip", 2) == DType::f16);
  CHECK(node(step.after, "clip").inputs[1] == ValueId::none);
}

TEST_CASE("statistics of LayerNormalization stay FLOAT") {
  const Model before = parse(17, R"(g (float[2,4] x) => (float[2,4] y, float[2,1] mean)
      <float[4] s = {1.0, 1.0, 1.0, 1.0}> { [ln] n, m = LayerNormalization(x, s) [neg] y = Neg(n) [abs] mean = Identity(m) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(makes(step.after, "ln", 0) == DType::bf16);
  CHECK(makes(step.after, "ln", 1) == DType::f32);
}

TEST_CASE("operators whose narrow form does not hold stay FLOAT with the reason") {
  const Model before = parse(13, R"(g (float[1,2,3,3] x) => (float[1,2,3,3] y) {
    [relu] r = Relu(x) [mvn] m = MeanVarianceNormalization<axes = [0, 2, 3]>(r) [tanh] y = Tanh(m) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(makes(step.after, "mvn") == DType::f32);
  REQUIRE(step.output.wide.size() == 1);
  CHECK(step.output.wide[0].cause == "schema: MeanVarianceNormalization: its function body holds FLOAT constants");
}

TEST_CASE("quantisation keeps its scale and is no reason to raise the opset") {
  const Model before = parse(13, R"(g (float[2,2] x) => (float[2,2] y)
      <float[2,2] w = {1.0, 0.5, 0.25, 2.0}, float s = {0.1}, uint8 z = {128}> {
    [mm] h = MatMul(x, w) [q] c = QuantizeLinear(h, s, z) [dq] d = DequantizeLinear(c, s, z) [mm2] y = MatMul(d, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(step.after.opset() == 13);
  CHECK(reads(step.after, "q", 1) == DType::f32);
  CHECK(count(step.after, "Cast") == 4);
}

TEST_CASE("attributes that set a type follow it") {
  const Model before = parse(22, R"(g (float[4,8] x) => (float[4,8] y) {
    [mm] h = Mul(x, x) [like] n = RandomNormalLike<seed = 1.0>(h) [typed] t = RandomNormalLike<dtype = 1>(h)
    [shape] s = Shape(x) [fill] f = ConstantOfShape(s) [a] p = Add(h, n) [b] q = Add(p, t) [c] y = Add(q, f) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 2);
  CHECK(attribute(node(step.after, "typed"), "dtype", std::int64_t{0}) == 16);
  CHECK_FALSE(has_attribute(node(step.after, "like"), "dtype"));
  CHECK(attribute_tensor(node(step.after, "fill"), "value")->type == DType::bf16);

  const PrecisionOptions options = keeping(bf16(), {"a"});
  const Step pinned = recast(before, options);
  check_sound(before, pinned, options);
  CHECK(makes(pinned.after, "a") == DType::f32);
}

TEST_CASE("what a runtime cannot run stays FLOAT") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [mm] h = MatMul(x, w) [log] l = Log(h) [mm2] y = MatMul(l, w) })");
  PrecisionOptions options = bf16();
  options.runtime = "ort-cpu";
  CHECK_FALSE(recast(before, options).changed);
  options.runtime = "ort-cuda";
  const Step cuda = recast(before, options);
  check_sound(before, cuda, options);
  CHECK(makes(cuda.after, "log") == DType::f32);
  REQUIRE(cuda.output.wide.size() == 1);
  CHECK(cuda.output.wide[0].cause == "runtime: ort-cuda has no Log in bfloat16");
  options.runtime = "any";  // another runtime runs all of it
  CHECK(makes(recast(before, options).after, "log") == DType::bf16);

  const TypeTable types = infer(before, {});
  options.runtime = "abacus";
  const auto refused = find_pass("recast_float")->plan({.model = &before, .types = &types, .precision = options});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().fault == Fault::usage);
}

}  // namespace
}  // namespace aegis::recast_test
