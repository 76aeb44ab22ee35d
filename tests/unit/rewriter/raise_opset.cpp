#include "recast_fixture.hpp"

#include "rewriter/recast/raise.hpp"

namespace aegis::recast_test {
namespace {

Model raised(const Model& before, std::int64_t opset) {
  auto patch = recast::raise(before, infer(before, {}), opset);
  if (!patch) FAIL(patch.error().message);
  auto after = aegis::apply(before, {&*patch, 1});
  if (!after) FAIL(after.error().message);
  if (const auto verdict = recast::verify(*after); !verdict) FAIL(verdict.error().message);
  CHECK(after->opset() == opset);
  check_interface(before, *after);
  return *std::move(after);
}

TEST_CASE("a convolution in BF16 takes the opset to 22, within the caller's limit") {
  const Model before = parse(17, R"(g (float[1,1,4,4] x) => (float[1,1,1,1] y) <float[1,1,3,3] w =
      {1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0}> { [conv] c = Conv(x, w) [pool] y = MaxPool<kernel_shape = [2, 2]>(c) })");
  PrecisionOptions options = bf16();
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(step.after.opset() == 22);
  CHECK(step.after.ir_version() == 10);
  CHECK(makes(step.after, "pool") == DType::bf16);
  options.max_opset = 21;
  CHECK_FALSE(recast(before, options).changed);
  const Step fp = recast(before, fp16());
  CHECK(fp.after.opset() == 17);
}

TEST_CASE("nothing is raised without need or for what is pinned") {
  const Model before = parse(17, R"(g (float[2,4] x) => (float[2,4] y) <float[4] s = {1.0, 1.0, 1.0, 1.0}> {
    [ln] n = LayerNormalization(x, s) [soft] p = Softmax(n) [cos] y = Cos(p) })");
  const PrecisionOptions options = keeping(bf16(), {"cos"});
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(step.after.opset() == 17);
  CHECK(recast(before, bf16()).after.opset() == 22);
}

TEST_CASE("nodes whose meaning changes are rewritten, the others re-tagged") {
  const Model softmax = raised(parse(11, "g (float[2,3,4] x) => (float[2,3,4] y) { [s] y = Softmax(x) }"), 22);
  CHECK(count(softmax, "Softmax") == 1);
  CHECK(count(softmax, "Reshape") >= 1);  // the old form flattens the trailing axes

  const Model reduce = raised(parse(12, R"(g (float[2,3,4] x) => (float[2] y) {
    [m] a = ReduceMean<axes = [2], keepdims = 1>(x) [q] b = Squeeze<axes = [2]>(a) [s] y = ReduceSum<axes = [1], keepdims = 0>(b) })"),
                              18);
  for (const char* name : {"m", "q", "s"}) CHECK(node(reduce, name).inputs.size() == 2);

  const Model upsample = raised(parse(9, R"(g (float[1,2,4,4] x) => (float[1,2,8,8] y)
      <float[4] sc = {1.0, 1.0, 2.0, 2.0}> { [up] y = Upsample<mode = "nearest">(x, sc) })"),
                                19);
  CHECK(count(upsample, "Resize") == 1);
  CHECK(count(upsample, "Upsample") == 0);

  const Model plain = raised(parse(13, "g (float[2,3] x) => (float[2,3] y) { [a] h = Relu(x) [b] y = Add(h, x) }"), 17);
  CHECK(plain.main().nodes.size() == 2);
}

TEST_CASE("group normalisation gets its scale and bias per channel") {
  const Model before = parse(18, R"(g (float[1,4,2,2] x) => (float[1,4,2,2] y)
      <float[2] s = {2.0, 3.0}, float[2] b = {0.5, -0.5}> { [gn] y = GroupNormalization<num_groups = 2>(x, s, b) })");
  const Model after = raised(before, 21);
  const TensorSource* scale = after.constant(node(after, "gn").inputs[1]);
  REQUIRE(scale != nullptr);
  CHECK(scale->dims == std::vector<std::int64_t>{4});
  const auto read = scale->read();
  REQUIRE(read);
  CHECK(*to_doubles(*read) == std::vector<double>{2.0, 2.0, 3.0, 3.0});
  const Step step = recast(before, bf16());
  CHECK(step.after.opset() == 21);
  CHECK(makes(step.after, "gn") == DType::bf16);
}

TEST_CASE("functions are raised with the model; what cannot be converted in one is refused by name") {
  const Model before = parse(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[1,4] x) => (float[1,4] y) { [cos] h = Cos(x) [call] y = local.Act(h) }
    <domain: "local", opset_import: ["" : 17]> Act (x) => (y) { s = Sigmoid(x) y = Mul(x, s) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(step.after.opset() == 22);
  const Model split = parse(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[1,4] x) => (float[1,1] y) { [cos] h = Cos(x) [call] y = local.Act(h) }
    <domain: "local", opset_import: ["" : 17]> Act (x) => (y) { [m] y = ReduceMean<axes = [1]>(x) })");
  const Step refused = run_pass("raise_opset", split, bf16());
  CHECK_FALSE(refused.changed);
  REQUIRE(refused.output.refused.size() == 1);
  CHECK(refused.output.refused[0].reason == "opset_raise");
  CHECK(refused.output.refused[0].detail.find("ReduceMean") != std::string::npos);
}

TEST_CASE("IR versions go with opsets") {
  CHECK(recast::ir_version_for(13) == 7);
  CHECK(recast::ir_version_for(18) == 8);
  CHECK(recast::ir_version_for(22) == 10);
  CHECK(recast::ir_version_for(24) == 12);
  CHECK(recast::ir_version_for(27) == 13);
}

}  // namespace
}  // namespace aegis::recast_test
