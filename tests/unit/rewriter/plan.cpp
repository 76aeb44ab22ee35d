#include "rewriter/plan.hpp"

#include "ops/target.hpp"
#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

TEST_CASE("plan: no pass asked for, nothing changes") {
  const Model before = model("g (float[3,16] x) => (float[3,8] y) <" + weight("W", {16, 8}) + "> { y = MatMul(x, W) }");
  const RewriteOutcome outcome = pad(before, RewriteRequest{});
  CHECK_FALSE(outcome.changed);
  CHECK(outcome.stages.empty());
  CHECK(outcome.safety == Safety::exact);
}

TEST_CASE("plan: stages run in order on what the last one gave, and later ones can be left out") {
  const Model before = model("<ir_version: 10, opset_import: [\"\": 21]> g (float[3,16] x) => (float[3,8] y) <" +
                             weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
                             "> { h = MatMul(x, W1) s = Relu(h) y = MatMul(s, W2) }");
  RewriteRequest request = always();
  request.precision.to = DType::bf16;
  const RewriteOutcome outcome = pad(before, request);
  REQUIRE(outcome.stages.size() == 3);
  CHECK(outcome.stages[0].pass == "pad_dims");
  CHECK(outcome.stages[1].pass == "raise_opset");
  CHECK(outcome.stages[2].pass == "recast_float");
  CHECK(outcome.safety == Safety::lossy);
  CHECK(shapes(outcome.model).at("s") == Shape{3, 56});
  const RewriteOutcome padded = first_stages(before, outcome, 1);
  CHECK(padded.changed);
  CHECK(padded.safety == Safety::close);
  CHECK(padded.same_bits);
  CHECK(shapes(padded.model).at("s") == Shape{3, 56});
  same_bits(before, padded.model);
  CHECK_FALSE(first_stages(before, outcome, 0).changed);
}

TEST_CASE("plan: an opset is not raised for a recast that changes nothing") {
  const Model before = model("<ir_version: 10, opset_import: [\"\": 21]> g (float[1,4,8,8] x) => (float[1,8,6,6] y) <" +
                             weight("W", {8, 4, 3, 3}) + "> { y = Conv(x, W) }");
  RewriteRequest request;
  request.precision.to = DType::bf16;
  CHECK(pad(before, request).model.opset() == 22);
  request.precision.keep = {"*"};
  const RewriteOutcome outcome = pad(before, request);
  CHECK_FALSE(outcome.changed);
  CHECK(outcome.model.opset() == 21);
  REQUIRE(outcome.stages.size() == 1);
  CHECK(outcome.stages[0].pass == "recast_float");
}

TEST_CASE("plan: padding takes the multiple of the target in the type it computes in") {
  const Model before = model("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " +
                             weight("W2", {50, 8}) + "> { h = MatMul(x, W1) y = MatMul(h, W2) }");
  const CpuEvaluator evaluator;
  const auto padded = [&](std::string_view device) {
    const Result<Target> target = DeviceTable::builtin()->find(device);
    REQUIRE(target);
    const Result<RewriteOutcome> outcome = rewrite(before, {}, &*target, evaluator, always(0));
    REQUIRE(outcome);
    return shapes(outcome->model).at("h")[1];
  };
  CHECK(padded("a100_sxm_80") == 52);  // rows of 16 bytes, for TF32
  CHECK(padded("t4") == 50);           // FLOAT has no Tensor Core path there
}

TEST_CASE("plan: padding comes before the recast and takes its multiple") {
  const Model before = model("<ir_version: 10, opset_import: [\"\": 21]> g (float[3,16] x) => (float[3,8] y) <" +
                             weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
                             "> { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }");
  RewriteRequest request = always(0);
  request.precision.to = DType::bf16;
  const RewriteOutcome outcome = pad(before, request);
  REQUIRE(outcome.stages.size() >= 2);
  CHECK(outcome.stages.front().pass == "pad_dims");
  CHECK(outcome.stages.back().pass == "recast_float");
  CHECK(shapes(outcome.model).at("a") == Shape{3, 56});
  CHECK(outcome.safety == Safety::lossy);
}

}  // namespace
}  // namespace aegis
