#include "ops/target.hpp"
#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

// Zeros of any size that take no memory.
class Zeros final : public Recipe {
 public:
  explicit Zeros(std::uint64_t bytes) : bytes_(bytes) {}
  Result<void> make(const Sink& sink) const override {
    const Bytes block(1u << 20);
    for (std::uint64_t left = bytes_; left > 0;) {
      const std::size_t take = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
      AEGIS_CHECK(sink(std::span(block).first(take)));
      left -= take;
    }
    return {};
  }

 private:
  std::uint64_t bytes_;
};

// A model whose weights, declared with one element, get these extents.
Model large(const std::string& text, const std::map<std::string, Shape>& weights) {
  const Model small = model(text);
  Patch patch{.pass = "test", .label = "large", .edits = {}};
  for (const auto& [name, shape] : weights) {
    const std::uint64_t bytes = raw_bytes(DType::f16, static_cast<std::uint64_t>(element_count(shape)));
    patch.edits.emplace_back(
        edit::SetTensor{small.find(name), TensorSource::made(DType::f16, shape, std::make_shared<Zeros>(bytes))});
  }
  Result<Model> made = aegis::apply(small, {&patch, 1});
  if (!made) FAIL(made.error().message);
  return *std::move(made);
}

RewriteOutcome predicted(const Model& before, const std::string& device, const Binding& binding = {}) {
  const Result<DeviceTable> table = DeviceTable::builtin();
  REQUIRE(table);
  const Result<Target> target = table->find(device);
  REQUIRE(target);
  RewriteRequest request;
  request.pad = true;
  const CpuEvaluator evaluator;
  Result<RewriteOutcome> outcome = rewrite(before, binding, &*target, evaluator, request);
  if (!outcome) FAIL(outcome.error().message);
  return *std::move(outcome);
}

std::string all_words(const RewriteOutcome& outcome) {
  std::string words;
  for (const RewriteStage& stage : outcome.stages) {
    for (const Refusal& refusal : stage.output.refused) words += refusal.reason + ": " + refusal.detail + "\n";
  }
  return words;
}

const std::string mlp =
    "(float16[N,4096] x) => (float16[N,4096] y) <float16[1,1] W1 = {0}, float16[1,1] W2 = {0}>"
    " { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }";

TEST_CASE("gate: a large MLP with an odd hidden dim pays, on the multiple that serves it best") {
  const Model before = large("g " + mlp, {{"W1", {4096, 10922}}, {"W2", {10922, 4096}}});
  Binding binding;
  binding.symbols["N"] = 4096;
  const RewriteOutcome outcome = predicted(before, "h100_sxm", binding);
  INFO(all_words(outcome));
  CHECK(outcome.changed);
  const Shape padded = shapes(outcome.model).at("W2");
  CHECK(padded[0] > 10922);
  CHECK(padded[0] % 16 == 0);
  CHECK_FALSE(predicted(outcome.model, "h100_sxm", binding).changed);
}

TEST_CASE("gate: without a batch nothing is predicted") {
  const Model before = large("g " + mlp, {{"W1", {4096, 10922}}, {"W2", {10922, 4096}}});
  const RewriteOutcome outcome = predicted(before, "h100_sxm");
  CHECK_FALSE(outcome.changed);
  CHECK(refused_with(outcome, "unknown_dim"));
}

TEST_CASE("gate: a thin product is bound by memory") {
  const Model before = large("g " + mlp, {{"W1", {4096, 500}}, {"W2", {500, 4096}}});
  Binding binding;
  binding.symbols["N"] = 17;
  const RewriteOutcome outcome = predicted(before, "h100_sxm", binding);
  INFO(all_words(outcome));
  CHECK_FALSE(outcome.changed);
  CHECK(refused_with(outcome, "memory_bound"));
}

TEST_CASE("gate: the vocabulary of a head pays for its Slice") {
  const Model before =
      large("g (float16[8192,768] h) => (float16[8192,50257] logits) <float16[1,1] W = {0}> { logits = MatMul(h, W) }",
            {{"W", {768, 50257}}});
  const RewriteOutcome outcome = predicted(before, "a100_sxm_80");
  INFO(all_words(outcome));
  REQUIRE(outcome.changed);
  const std::int64_t padded = shapes(outcome.model).at("W")[1];
  CHECK(padded > 50257);
  CHECK(padded % 16 == 0);
  CHECK(shapes(outcome.model).at("logits") == Shape{8192, 50257});
  CHECK(shapes(outcome.model).at("logits/pad") == Shape{8192, padded});
  CHECK(outcome.model.main().nodes.size() == 2);
  CHECK_FALSE(predicted(outcome.model, "a100_sxm_80").changed);
}

TEST_CASE("gate: a small head does not pay for a Slice") {
  const Model before =
      large("g (float16[64,768] h) => (float16[64,1001] logits) <float16[1,1] W = {0}> { logits = MatMul(h, W) }",
            {{"W", {768, 1001}}});
  const RewriteOutcome outcome = predicted(before, "a100_sxm_80");
  INFO(all_words(outcome));
  CHECK_FALSE(outcome.changed);
  CHECK(all_words(outcome).find("memory_bound") != std::string::npos);
}

TEST_CASE("gate: channels of NCHW convolutions are left to the backend") {
  const Model before = large(
      "g (float16[64,64,56,56] x) => (float16[64,64,56,56] y) <float16[1,1,1,1] A = {0}, float16[1,1,1,1] B = {0}>"
      " { h = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(x, A) a = Relu(h) y = Conv<kernel_shape = [3,3], pads = "
      "[1,1,1,1]>(a, B) }",
      {{"A", {250, 64, 3, 3}}, {"B", {64, 250, 3, 3}}});
  const RewriteOutcome outcome = predicted(before, "a100_sxm_80");
  INFO(all_words(outcome));
  CHECK_FALSE(outcome.changed);
  CHECK(refused_with(outcome, "backend_pads"));
}

TEST_CASE("gate: a small recurrent layer does not pay") {
  const Model before =
      model("g (float[5,2,37] x) => (float[5,1,2,13] y) <" + weight("E", {37, 37}) + ", " + weight("W", {1, 52, 37}) +
            ", " + weight("R", {1, 52, 13}) + "> { e = MatMul(x, E) y = LSTM<hidden_size = 13>(e, W, R) }");
  const RewriteOutcome outcome = predicted(before, "a100_sxm_80");
  INFO(all_words(outcome));
  CHECK_FALSE(outcome.changed);
  CHECK_FALSE(reasons(outcome).empty());
}

}  // namespace
}  // namespace aegis
