// Lowering: nodes become the programs that the primitives promise, and what is not known is said.
#include "ops/lower.hpp"

#include <catch2/catch_test_macros.hpp>

#include "model/load.hpp"
#include "ops/infer.hpp"
#include "ops/op_table.hpp"

using namespace aegis;

namespace {

struct OneNode {
  Model model;
  std::vector<ValueType> inputs, outputs;
  std::vector<const Tensor*> values;
  std::vector<Tensor> held;

  // The only node of a graph; its initializers are known, the graph's inputs are not.
  explicit OneNode(const std::string& text) : model(load_text(text)) {
    const Node& n = node();
    const TypeTable types = infer(model, {});
    held.reserve(n.inputs.size());
    for (const ValueId id : n.inputs) {
      inputs.push_back(id == ValueId::none ? ValueType{} : types.of(id));
      const TensorSource* source = id == ValueId::none ? nullptr : model.constant(id);
      if (source) held.push_back(*source->read());
      values.push_back(source ? &held.back() : nullptr);
    }
    auto inferred = infer_node(model, n, inputs, values);
    if (!inferred) FAIL(inferred.error().message);
    outputs = *inferred;
  }
  static Model load_text(const std::string& body) {
    auto model = parse_text("<ir_version: 10, opset_import: [\"\" : 21]>\n" + body);
    if (!model) FAIL(model.error().message);
    return *model;
  }
  const Node& node() const { return model.node(model.main().nodes.front()); }
  Lowered lowered() const { return lower(node(), model.opset(), inputs, outputs, values); }
};

template <class Params>
Params only(const Lowered& lowered) {
  REQUIRE(lowered.state == Lowered::State::ready);
  REQUIRE(lowered.program.calls.size() == 1);
  return std::get<Params>(lowered.program.calls[0].params);
}

}  // namespace

TEST_CASE("a matrix on the right folds the batch of the left into its rows") {
  const OneNode node("g (float[2, 3, 4, 5] a, float[5, 6] b) => (float[2, 3, 4, 6] y) { y = MatMul(a, b) }");
  const auto gemm = only<GemmParams>(node.lowered());
  CHECK(gemm.m == 24);
  CHECK(gemm.n == 6);
  CHECK(gemm.k == 5);
  CHECK(gemm.batch_rank == 0);
}

TEST_CASE("batches broadcast by a stride of zero") {
  const OneNode node("g (float[2, 1, 4, 5] a, float[3, 5, 6] b) => (float[2, 3, 4, 6] y) { y = MatMul(a, b) }");
  const auto gemm = only<GemmParams>(node.lowered());
  CHECK(gemm.batch_rank == 2);
  CHECK(gemm.batch[0] == 2);
  CHECK(gemm.batch[1] == 3);
  CHECK(gemm.a_stride[0] == 20);
  CHECK(gemm.a_stride[1] == 0);
  CHECK(gemm.b_stride[0] == 0);
  CHECK(gemm.b_stride[1] == 30);
}

TEST_CASE("the odd element of SAME padding goes to the end for SAME_UPPER") {
  for (const auto& [mode, pad] : {std::pair{"SAME_UPPER", 0}, std::pair{"SAME_LOWER", 1}}) {
    const OneNode node(
        std::string("g (float[1, 2, 7, 7] x, float[4, 2, 2, 2] w) => (float[1, 4, 7, 7] y) { y = Conv <auto_pad = \"") +
        mode + "\"> (x, w) }");
    const auto conv = only<ConvParams>(node.lowered());
    CHECK(conv.pad[0] == pad);
    CHECK(conv.filters == 4);
    CHECK(conv.out[1] == 7);
  }
}

TEST_CASE("a program waits for the values that decide its extents") {
  const OneNode open("g (float[2, 3] x, int64[2] target) => (float[a, b] y) { y = Reshape(x, target) }");
  CHECK(open.lowered().state == Lowered::State::needs_values);
  const OneNode fixed("g (float[2, 3] x) => (float[6] y) <int64[1] target = {-1}> { y = Reshape(x, target) }");
  CHECK(only<AliasParams>(fixed.lowered()) == AliasParams{});
}

TEST_CASE("what a lowering read is known, so that a plan can be kept") {
  const OneNode node("g (float[4, 4] x) => (float[4, 4] y) <int64 axis = {1}> { y = CumSum(x, axis) }");
  CHECK(node.lowered().values_read == 2);
  const OneNode relu("g (float[4] x) => (float[4] y) { y = Relu(x) }");
  CHECK(relu.lowered().values_read == 0);
}

TEST_CASE("an operator without a lowering says so") {
  const OneNode node("g (float[4, 4] x) => (float y) { y = Det(x) }");
  const Lowered lowered = node.lowered();
  CHECK(lowered.state == Lowered::State::unsupported);
  CHECK(lowered.reason == "the operator has no lowering");
}

TEST_CASE("equal calls print and hash alike, unequal ones do not") {
  const PrimCall one{GemmParams{.m = 2, .n = 3, .k = 4}, {0, 1, no_slot}, {2}};
  PrimCall other = one;
  CHECK(one == other);
  CHECK(hash(one) == hash(other));
  std::get<GemmParams>(other.params).k = 5;
  CHECK_FALSE(one == other);
  CHECK(print(one) != print(other));
  CHECK(print(one).starts_with("gemm(0, 1, -1) -> 2 m=2 n=3 k=4"));
}
