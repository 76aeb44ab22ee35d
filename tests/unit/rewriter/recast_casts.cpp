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

TEST_CASE("an island of the author stays FLOAT, a lone map between Casts does not") {
  const Model island = parse(17, R"(g (float16[2,2] x, float[2,2] z) => (float16[2,2] y, float[2,2] v)
      <float16[2,2] w = {1, 2, 3, 4}> {
    [mm] h = MatMul(x, w) [up] u = Cast<to = 1>(h) [sq] s = Mul(u, u) [mean] m = ReduceMean<axes = [1]>(s)
    [div] d = Div(u, m) [down] y = Cast<to = 10>(d) [other] v = Neg(z) })");
  const Step kept = recast(island, fp16());
  check_sound(island, kept, fp16());
  CHECK(kept.changed);
  for (const char* name : {"sq", "mean", "div"}) CHECK(makes(kept.after, name) == DType::f32);

  const Model maps = parse(17, R"(g (float16[2,8] x) => (float16[2,8] y) {
    [up0] a = Cast<to = 1>(x) [abs] b = Abs(a) [down0] c = Cast<to = 10>(b)
    [up1] d = Cast<to = 1>(c) [relu] e = Relu(d) [down1] f = Cast<to = 10>(e) [id] y = Identity(f) })");
  const Step step = recast(maps, fp16());
  check_sound(maps, step, fp16());
  CHECK(count(step.after, "Cast") == 0);
}

TEST_CASE("a file that is narrow already is left alone") {
  const Model before = parse(17, R"(g (float[2,8] x) => (float[2,8] y) {
    [c1] a = Cast<to = 10>(x) [c2] b = Cast<to = 10>(x) [add] s = Add(a, b) [c3] y = Cast<to = 1>(s) })");
  CHECK_FALSE(recast(before, fp16()).changed);
  const Model narrow = parse(17, "g (bfloat16[2,8] x) => (bfloat16[2,8] y) { [relu] y = Relu(x) }");
  CHECK_FALSE(recast(narrow, bf16()).changed);
}

TEST_CASE("Casts that the source has are shared, not doubled") {
  const Model before = parse(17, R"(g (float[2,8] x) => (float[2,8] y) {
    [c1] a = Cast<to = 10>(x) [relu] r = Relu(x) [mul] s = Cast<to = 10>(r) [add] t = Add(a, s) [c3] y = Cast<to = 1>(t) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(count(step.after, "Cast") == 2);
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
