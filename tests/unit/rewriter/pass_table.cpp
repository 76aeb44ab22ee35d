// What holds for every pass of the table.
#include <set>

#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

// Each pass must find something to do in at least one of them.
std::vector<Model> models() {
  const std::string opset_21 = "<ir_version: 10, opset_import: [\"\": 21]> ";
  return {model("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
                "> { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }"),
          model(opset_21 + "g (float[1,4,8,8] x) => (float[1,8,6,6] y) <" + weight("W", {8, 4, 3, 3}) +
                "> { y = Conv(x, W) }")};
}

// The model after the pass, planned as rewrite() does; nullopt when it proposes nothing.
std::optional<Model> after(const Pass& pass, const Model& before) {
  static const CpuEvaluator evaluator;
  const TypeTable types = infer(before, {});
  PassInput input{
      .model = &before, .types = &types, .evaluator = &evaluator, .padding = always().padding, .compute = DType::bf16};
  input.precision.to = DType::bf16;
  const Result<PassOutput> output = pass.plan(input);
  REQUIRE(output);
  for (const Patch& patch : output->patches) {
    CHECK(patch.pass == pass.name);
    CHECK(patch.safety <= pass.safety);
  }
  if (output->patches.empty()) return std::nullopt;
  Result<Model> changed = aegis::apply(before, output->patches);
  REQUIRE(changed);
  return *std::move(changed);
}

TEST_CASE("passes: each one says where it stands and when it is wanted") {
  std::set<int> orders;
  for (const Pass* pass : passes()) {
    INFO(pass->name);
    CHECK(orders.insert(pass->order).second);
    REQUIRE(pass->wanted);
    REQUIRE(pass->plan);
    CHECK_FALSE(pass->wanted(RewriteRequest{}));
  }
}

TEST_CASE("passes: a second run of any pass finds nothing") {
  for (const Pass* pass : passes()) {
    INFO(pass->name);
    bool worked = false;
    for (const Model& before : models()) {
      const std::optional<Model> once = after(*pass, before);
      if (!once) continue;
      worked = true;
      CHECK_FALSE(after(*pass, *once));
    }
    CHECK(worked);
  }
}

TEST_CASE("passes: a request runs all that want it, in their order") {
  RewriteRequest request = always();
  request.precision.to = DType::bf16;
  std::size_t wanted = 0;
  for (const Pass* pass : passes()) wanted += pass->wanted(request) ? 1u : 0u;
  const RewriteOutcome outcome = pad(models()[0], request);
  REQUIRE(outcome.stages.size() == wanted);
  for (std::size_t i = 1; i < wanted; ++i)
    CHECK(find_pass(outcome.stages[i - 1].pass)->order < find_pass(outcome.stages[i].pass)->order);
}

}  // namespace
}  // namespace aegis
