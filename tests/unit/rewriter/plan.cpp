#include "rewriter/plan.hpp"

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
  const Model before =
      model("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
            ", float a = {2}, float b = {3}> { c = Mul(a, b) h = MatMul(x, W1) s = Mul(h, c) y = MatMul(s, W2) }");
  RewriteRequest request = always();
  request.fold = true;
  const RewriteOutcome outcome = pad(before, request);
  REQUIRE(outcome.stages.size() == 2);
  CHECK(outcome.stages[0].pass == "fold_constants");
  CHECK(outcome.stages[1].pass == "pad_dims");
  CHECK(outcome.safety == Safety::close);
  CHECK(outcome.same_bits);
  CHECK(shapes(outcome.model).at("s") == Shape{3, 56});
  const RewriteOutcome folded = first_stages(before, outcome, 1);
  CHECK(folded.changed);
  CHECK(folded.safety == Safety::exact);
  CHECK(shapes(folded.model).at("s") == Shape{3, 50});
  CHECK_FALSE(first_stages(before, outcome, 0).changed);
  same_bits(before, outcome.model);
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
