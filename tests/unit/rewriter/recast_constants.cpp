#include "recast_fixture.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "model/round.hpp"
#include "rewriter/recast/cast_recipe.hpp"

namespace aegis::recast_test {
namespace {

std::vector<std::uint16_t> patterns(const TensorSource& source) {
  auto tensor = source.read();
  REQUIRE(tensor);
  const auto* bits = tensor->as<std::uint16_t>();
  return {bits, bits + tensor->elements()};
}

TEST_CASE("constants are rounded to nearest even, a NaN stays a NaN") {
  const std::vector<double> values{0.0,    -0.0,  1.0,          1.00390625, 1.01171875,
                                   998.39, -2.75, 3.3895314e38, 3.397e38,   1e-40};
  const std::vector<std::int64_t> dims{static_cast<std::int64_t>(values.size())};
  const auto floats = from_doubles(DType::f32, dims, values);
  const auto made = patterns(recast::cast_source(TensorSource::owned(floats), DType::bf16));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(made[i] == bf16_bits(floats.as<float>()[i]));
  CHECK(made[5] == 0x447a);  // 1000
  CHECK(made[8] == 0x7f80);  // rounds to infinity

  Tensor nan = Tensor::zeros(DType::f32, {1});
  nan.as_mutable<std::uint32_t>()[0] = 0x7f800001;
  CHECK(std::isnan(bf16_value(patterns(recast::cast_source(TensorSource::owned(nan), DType::bf16))[0])));
}

TEST_CASE("a double is rounded once") {
  // Just above the middle of two neighbours: through FLOAT it would fall on the middle and be rounded to even.
  const double above = 1.0 + 0x1p-8 + 0x1p-40;
  CHECK(recast::narrow_bits(above, DType::bf16) == 0x3f81);
  CHECK(bf16_bits(static_cast<float>(above)) == 0x3f80);
  const double half = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(recast::narrow_bits(half, DType::f16) == 0x3c01);
  CHECK(recast::narrow_bits(65520.0 - 0x1p-30, DType::f16) == 0x7bff);
  CHECK(recast::narrow_bits(1e300, DType::bf16) == 0x7f80);
  CHECK(recast::narrow_bits(-1e-300, DType::f16) == 0x8000);
}

TEST_CASE("a constant that is read wide and narrow has one copy per type") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y, float[2,2] z)
      <float[2,2] c = {1.0, 2.0, 3.0, 4.0}> {
    [m1] a = MatMul(x, c) [m2] b = MatMul(a, c) [k1] k = Mul(x, c) [k2] z = Mul(k, c) [n] y = Neg(b) })");
  const PrecisionOptions options = keeping(bf16(), {"k1", "k2"});
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(step.after.main().initializers.size() == 2);
  CHECK(reads(step.after, "m1", 1) == DType::bf16);
  CHECK(node(step.after, "m1").inputs[1] == node(step.after, "m2").inputs[1]);
  CHECK(reads(step.after, "k2", 1) == DType::f32);
}

TEST_CASE("a Constant node behaves like an initializer") {
  const Model before = parse(17, R"(g (float[2,4] x) => (float[2,4] y) {
    [e] eps = Constant<value = float {0.00001}>() [v] half = Constant<value_float = 0.5>()
    [a] s = Add(x, eps) [m] y = Mul(s, half) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 2);
  CHECK(reads(step.after, "a", 1) == DType::bf16);
  CHECK(step.after.constant(step.after.find("eps"))->type == DType::bf16);
  CHECK(reads(step.after, "m", 1) == DType::bf16);
}

TEST_CASE("a weight stored in FP16 goes to BF16 by value, without a Cast at run time") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float16[2,2] w = {1, 2, 3, 4}> {
    [up] f = Cast<to = 1>(w) [mm] y = MatMul(x, f) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 2);
  const TensorSource* made = step.after.constant(node(step.after, "mm").inputs[1]);
  REQUIRE(made != nullptr);
  const auto stored = before.constant(before.find("w"))->read();
  REQUIRE(stored);
  const auto old_values = to_doubles(*stored), new_values = to_doubles(*made->read());
  REQUIRE(old_values);
  REQUIRE(new_values);
  CHECK(step.after.find("w") == ValueId::none);
}

TEST_CASE("a constant of an outer scope read in a branch is copied once") {
  const Model before = parse(17, R"(g (float[2,2] x, bool c) => (float[2,2] y) <float[2,2] w = {1.0,2.0,3.0,4.0}> {
    [m] h = MatMul(x, w)
    [i] y = If(c) <then_branch = t () => (float[2,2] a) { [p] a = Mul(h, w) },
                   else_branch = e () => (float[2,2] b) { [q] b = Add(h, w) }> })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(step.after.main().initializers.size() == 1);
  CHECK(count(step.after, "Cast") == 2);
}

}  // namespace
}  // namespace aegis::recast_test
