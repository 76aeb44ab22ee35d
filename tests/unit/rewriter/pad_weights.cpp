#include "rewriter/padding/recipe.hpp"
#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;
using padding::LaneMap;

TEST_CASE("a lane map merges runs, composes and appends") {
  LaneMap head = LaneMap::suffix(20, 24);
  const LaneMap heads = LaneMap::identity(2).times(head);
  CHECK(heads.text() == "v20 p4 v20 p4");
  CHECK(heads.total() == 48);
  CHECK(heads.valid() == 40);
  CHECK_FALSE(heads.suffix_only());
  CHECK(LaneMap::suffix(13, 16).times(LaneMap::identity(16)).text() == "v208 p48");
  LaneMap both = LaneMap::suffix(5, 8);
  both.append(LaneMap::suffix(11, 16));
  CHECK(both.text() == "v5 p3 v11 p5");
  CHECK(both.pairs() == std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 3}, {11, 5}});
  CHECK(LaneMap::suffix(3, 4).times(LaneMap::suffix(2, 3)).text() == "v2 p1 v2 p1 v2 p4");
  CHECK_FALSE(LaneMap::identity(7).padded());
}

TEST_CASE("a padded tensor holds its lanes in their places and the fill elsewhere") {
  const std::vector<std::int64_t> dims{2, 3, 2};
  std::vector<double> numbers(12);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i + 1);
  for (const DType type : {DType::f32, DType::f16, DType::bf16, DType::i8, DType::f64}) {
    const TensorSource source = TensorSource::owned(from_doubles(type, dims, numbers));
    LaneMap middle = LaneMap::suffix(1, 2);
    middle.append(LaneMap::identity(2));
    const TensorSource padded = padding::padded(source, {{0, LaneMap::suffix(2, 3)}, {1, middle}}, 7);
    CHECK(padded.dims == std::vector<std::int64_t>{3, 4, 2});
    CHECK(padded.type == type);
    const Result<Tensor> made = padded.read();
    REQUIRE(made);
    const std::vector<double> wanted{1, 2, 7, 7, 3, 4, 5, 6, 7, 8, 7, 7, 9, 10, 11, 12, 7, 7, 7, 7, 7, 7, 7, 7};
    CHECK(*to_doubles(*made) == wanted);
  }
}

TEST_CASE("a padded tensor is streamed in one pass, larger than any buffer") {
  const std::vector<std::int64_t> dims{501, 301};
  std::vector<double> numbers(static_cast<std::size_t>(element_count(dims)));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const TensorSource source = TensorSource::owned(from_doubles(DType::f32, dims, numbers));
  const TensorSource padded =
      padding::padded(source, {{0, LaneMap::suffix(501, 504)}, {1, LaneMap::suffix(301, 304)}}, 0);
  const Result<Tensor> made = padded.read();
  REQUIRE(made);
  REQUIRE(made->elements() == 504 * 304);
  bool right = true;
  for (std::int64_t row = 0; row < 504; ++row) {
    for (std::int64_t column = 0; column < 304; ++column) {
      const float wanted = row < 501 && column < 301 ? static_cast<float>(row * 301 + column) : 0.0f;
      right = right && made->as<float>()[row * 304 + column] == wanted;
    }
  }
  CHECK(right);
}

std::size_t initializers(const Model& model) { return model.main().initializers.size(); }

TEST_CASE("pad: a weight that two layers read is padded once") {
  const RewriteOutcome outcome =
      pads("g (float[3,16] p, float[3,16] q) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("b", {50}) +
               ", " + weight("W2", {50, 8}) +
               "> { a = Gemm(p, W1, b) s = Tanh(a) c = Gemm(q, W1, b) t = Tanh(c) d = Sub(s, t) y = MatMul(d, W2) }",
           {{"W1", {16, 56}}, {"b", {56}}, {"W2", {56, 8}}});
  CHECK(initializers(outcome.model) == 3);
}

TEST_CASE("pad: a reader with another role keeps the stored weight") {
  const std::string text = "g (float[3,16] x) => (float[3,8] y, float m) <" + weight("W", {16, 50}) + ", " +
                           weight("W2", {50, 8}) +
                           "> { h = MatMul(x, W) a = Relu(h) y = MatMul(a, W2) m = ReduceMean<keepdims = 0>(W) }";
  const RewriteOutcome outcome = pads(text, {{"W", {16, 50}}, {"W/pad", {16, 56}}, {"W2", {56, 8}}});
  CHECK(initializers(outcome.model) == 3);
  RewriteRequest request = always();
  request.padding.max_file_growth = 1.5;
  refuses(text, "shared_weight", request);
}

TEST_CASE("pad: a table that is read as rows and as a transposed matrix is padded once") {
  const RewriteOutcome outcome =
      pads("g (int64[2,5] ids) => (float[2,5,16] y) <" + weight("E", {16, 50}) + ", " + weight("W", {50, 50}) +
               "> { e = Gather<axis = 0>(E, ids) m = MatMul(e, W) h = Tanh(m) t = Transpose<perm = [1,0]>(E) y = "
               "MatMul(h, t) }",
           {{"E", {16, 56}}, {"W", {56, 56}}, {"t", {56, 16}}});
  CHECK(initializers(outcome.model) == 2);
}

TEST_CASE("pad: Constant nodes become initializers of their name") {
  std::string numbers;
  for (int i = 0; i < 50; ++i) numbers += (i > 0 ? "," : "") + std::to_string(i);
  const RewriteOutcome outcome = pads("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " +
                                          weight("W2", {50, 8}) + "> { b = Constant<value = float[50] {" + numbers +
                                          "}>() z = MatMul(x, W1) h = Add(z, b) y = MatMul(h, W2) }",
                                      {{"b", {56}}});
  CHECK(outcome.model.value(outcome.model.find("b")).initializer);
  for (const Node& node : outcome.model.nodes()) {
    if (node.alive) CHECK(node.op != "Constant");
  }
}

TEST_CASE("pad: initializers that are inputs: IR 3 lists them all, later a caller may replace them") {
  const std::string body = "g (float[3,16] x, float[16,50] W1) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " +
                           weight("W2", {50, 8}) + "> { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }";
  refuses("<ir_version: 8, opset_import: [\"\": 17]> " + body, "overridable");
  const std::string ir3 =
      "<ir_version: 3, opset_import: [\"\": 9]> g (float[3,16] x, float[16,50] W1, float[50,8] W2) => (float[3,8] y) "
      "<" +
      weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) + "> { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }";
  pads(ir3, {{"W1", {16, 56}}, {"W2", {56, 8}}});
}

}  // namespace
}  // namespace aegis
