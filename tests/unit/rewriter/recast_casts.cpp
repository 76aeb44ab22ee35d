#include "recast_fixture.hpp"

namespace aegis::recast_test {
namespace {

TEST_CASE("a FLOAT to FLOAT Cast vanishes; kept by the user it stays") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [noop] c = Cast<to = 1>(x) [mm] y = MatMul(c, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 2);
  CHECK(step.output.casts_dropped == 1);
  const PrecisionOptions options = keeping(bf16(), {"noop"});
  check_sound(before, recast(before, options), options);
}

TEST_CASE("a Cast from integers makes the narrow type itself; with wide readers only it is untouched") {
  const Model before = parse(17, R"(g (float[1,12] x, bool[1,12] mask) => (float[1,12] y) {
    [mcast] m = Cast<to = 1>(mask) [gate] h = Mul(x, m) [relu] y = Relu(h) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(makes(step.after, "mcast") == DType::bf16);
  CHECK(count(step.after, "Cast") == 3);
  const PrecisionOptions options = keeping(bf16(), {"gate"});
  const Step wide = recast(before, options);
  check_sound(before, wide, options);
  CHECK(makes(wide.after, "mcast") == DType::f32);
}

TEST_CASE("a narrowing pair of the author is part of the model") {
  const Model before = parse(17, R"(g (float[4] x) => (float[4] y) <float k = {90000.0}, float cap = {1000000.0}> {
    [mul] big = Mul(x, k) [down] h = Cast<to = 10>(big) [up] u = Cast<to = 1>(h) [min] y = Min(u, cap) })");
  const PrecisionOptions options = keeping(bf16(), {"m*"});
  CHECK_FALSE(recast(before, options).changed);
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(makes(step.after, "down") == DType::f16);
}

TEST_CASE("FLOAT islands between 16-bit arithmetic stay, what they do not touch is recast") {
  const Model before = parse(17, R"(g (float16[2,2] x, float[2,2] z) => (float16[2,2] y, float[2,2] v)
      <float16[2,2] w = {1, 2, 3, 4}> {
    [mm] h = MatMul(x, w) [up] u = Cast<to = 1>(h) [sq] s = Mul(u, u) [mean] m = ReduceMean<axes = [1]>(s)
    [div] d = Div(u, m) [down] q = Cast<to = 10>(d) [last] y = Relu(q) [other] v = Neg(z) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(step.changed);
  for (const char* name : {"sq", "mean", "div"}) CHECK(makes(step.after, name) == DType::f32);
  CHECK(makes(step.after, "other") == DType::f16);
}

TEST_CASE("16-bit inputs, outputs and weights around FLOAT arithmetic make no island") {
  const Model before = parse(17, R"(g (float16[2,2] x) => (float16[2,2] y) <float16[2,2] w = {1, 2, 3, 4}> {
    [up] a = Cast<to = 1>(x) [upw] b = Cast<to = 1>(w) [mm] c = MatMul(a, b) [relu] d = Relu(c) [down] y = Cast<to = 10>(d) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(makes(step.after, "mm") == DType::f16);
  CHECK(reads(step.after, "mm", 1) == DType::f16);
  CHECK(count(step.after, "Cast") <= 1);
}

TEST_CASE("a second run keeps wide what the rules of the first pinned, without them") {
  const Model before =
      parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}, float e = {0.001}> {
    [norm] n = ReduceL2<axes = [1]>(x) [guard] g = Max(n, e) [div] d = Div(x, g) [mm] y = MatMul(d, w) })");
  const Step step = recast(before, pinning(fp16(), before, {"norm", "guard"}));
  check_sound(before, step, fp16());
}

TEST_CASE("a value that a rule keeps FLOAT keeps its reader's slot, not the reader") {
  const Model before = parse(22, R"(g (float[1,2,8,8] x, float[1,4,4,2] g) => (float[1,2,4,4] y) {
    [half] h = Mul(g, g) [gs] y = GridSample(x, h) })");
  PrecisionOptions options = bf16();
  options.value_pins = {{before.find("h"), "PR324"}};
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(reads(step.after, "gs", 1) == DType::f32);
  CHECK(makes(step.after, "gs") == DType::bf16);
  CHECK(makes(step.after, "half") == DType::f32);
}

TEST_CASE("a file that is narrow already is left alone") {
  const Model before = parse(17, R"(g (float[2,8] x) => (float[2,8] y) {
    [c1] a = Cast<to = 10>(x) [c2] b = Cast<to = 10>(x) [add] s = Add(a, b) [c3] y = Cast<to = 1>(s) })");
  CHECK_FALSE(recast(before, fp16()).changed);
  const Model narrow = parse(17, "g (bfloat16[2,8] x) => (bfloat16[2,8] y) { [relu] y = Relu(x) }");
  CHECK_FALSE(recast(narrow, bf16()).changed);
}

TEST_CASE("Casts that the source has are shared, not doubled") {
  const Model before = parse(17, R"(g (float[2,8] x) => (float[2,8] y, float16[2,8] h) {
    [c1] h = Cast<to = 10>(x) [relu] r = Relu(x) [neg] y = Neg(r) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(count(step.after, "Cast") == 2);
  CHECK(node(step.after, "relu").inputs[0] == step.after.find("h"));
}

TEST_CASE("one Cast serves both slots of a node and all readers of a scope") {
  const Model before = parse(17, R"(g (float[4,4] x) => (float[4,4] y, float[4,4] z) {
    [mm] y = MatMul(x, x) [add] z = Add(x, x) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 3);
}

}  // namespace
}  // namespace aegis::recast_test
