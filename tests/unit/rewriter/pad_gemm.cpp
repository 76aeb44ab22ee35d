#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

// x[3,16] -> fc1 -> body over h -> a -> fc2 -> y[3,8]
std::string mlp(const std::string& body, std::int64_t hidden, const std::string& more_weights = "") {
  return "g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, hidden}) + ", " + weight("b1", {hidden}) + ", " +
         weight("W2", {hidden, 8}) + more_weights + "> { z = MatMul(x, W1) h = Add(z, b1) " + body +
         " y = MatMul(a, W2) }";
}

double lane_of(const RewriteOutcome& outcome, const std::string& value, int axis) {
  const auto& origins = outcome.model.origins();
  const auto found = origins.find(outcome.model.find(value));
  if (found == origins.end()) return -1e300;
  for (const Origin::Axis& padded : found->second.axes) {
    if (padded.axis == axis && padded.lane) return *padded.lane;
  }
  return -1e300;
}

TEST_CASE("pad: the hidden dim of an MLP grows in all weights that touch it") {
  for (const std::string op : {"Relu", "Tanh", "Sigmoid", "Exp", "Softplus", "Sin", "HardSwish", "Elu", "Identity"}) {
    INFO(op);
    const RewriteOutcome outcome =
        pads(mlp("a = " + op + "(h)", 50), {{"W1", {16, 56}}, {"b1", {56}}, {"W2", {56, 8}}, {"a", {3, 56}}});
    REQUIRE(outcome.stages[0].output.dims.size() == 1);
    CHECK(outcome.stages[0].output.dims[0].from == 50);
    CHECK(outcome.stages[0].output.dims[0].to == 56);
    CHECK(outcome.stages[0].output.dims[0].tensors == std::vector<std::string>{"W1", "W2", "b1"});
    CHECK(outcome.same_bits);
  }
}

TEST_CASE("pad: the lane constant is what the operators make of zero") {
  CHECK(lane_of(pad(model(mlp("a = Sigmoid(h)", 50))), "a", 1) == 0.5);
  CHECK(lane_of(pad(model(mlp("a = Exp(h)", 50))), "a", 1) == 1);
  CHECK(lane_of(pad(model(mlp("a = Relu(h)", 50))), "a", 1) == 0);
  const RewriteOutcome silu = pad(model(mlp("s = Sigmoid(h) a = Mul(h, s)", 50)));
  CHECK(lane_of(silu, "s", 1) == 0.5);
  CHECK(lane_of(silu, "a", 1) == 0);
  const auto& runs = silu.model.origins().at(silu.model.find("a")).axes.at(0).runs;
  CHECK(runs == std::vector<std::pair<std::int64_t, std::int64_t>>{{50, 6}});
}

TEST_CASE("pad: constants along the hidden dim are padded with what keeps lanes finite") {
  pads(mlp("c = Mul(h, gain) a = Sub(c, off)", 50, ", " + weight("gain", {50}) + ", " + weight("off", {50})),
       {{"gain", {56}}, {"off", {56}}});
  pads(mlp("a = PRelu(h, slope)", 50, ", " + weight("slope", {50})), {{"slope", {56}}});
  pads(mlp("d = Abs(den) e = Add(d, one) a = Div(h, e)", 50, ", " + weight("den", {50}) + ", float one = {1}"),
       {{"den", {56}}});
}

TEST_CASE("pad: a bias of one keeps reciprocals finite") {
  const RewriteOutcome reciprocal = pads(mlp("a = Reciprocal(h)", 50), {{"W2", {56, 8}}});
  CHECK(lane_of(reciprocal, "b1", 0) == 1);
  CHECK(lane_of(reciprocal, "a", 1) == 1);
  pads(mlp("p = Abs(h) s = Sqrt(p) a = Reciprocal(s)", 130), {{"W2", {136, 8}}});
  pads("g (float[3,16] x) => (float[3,8] y) <" + weight("Wa", {16, 50}) + ", " + weight("Wb", {16, 50}) + ", " +
           weight("bb", {50}) + ", " + weight("W2", {50, 8}) +
           "> { n = MatMul(x, Wa) f = MatMul(x, Wb) d = Add(f, bb) q = Div(n, d) y = MatMul(q, W2) }",
       {{"Wa", {16, 56}}, {"bb", {56}}, {"q", {3, 56}}});
  refuses("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
              "> { h = MatMul(x, W1) a = Reciprocal(h) y = MatMul(a, W2) }",
          "nonfinite_lane");
}

TEST_CASE("pad: the lowest bias takes lanes out of Softmax and ArgMax") {
  const RewriteOutcome soft = pads(mlp("a = Softmax<axis = -1>(h)", 50), {{"W2", {56, 8}}});
  CHECK(lane_of(soft, "a", 1) == 0);
  pads("g (float[3,16] x) => (int64[3] y) <" + weight("W", {16, 50}) + ", " + weight("b", {50}) +
           "> { z = MatMul(x, W) h = Add(z, b) y = ArgMax<axis = -1, keepdims = 0>(h) }",
       {{"W", {16, 56}}});
  refuses(mlp("m = Add(h, mask) a = Softmax<axis = -1>(m)", 50, ", " + weight("mask", {3, 50})), "lane_mixing");
  refuses("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
              "> { h = MatMul(x, W1) a = Softmax<axis = -1>(h) y = MatMul(a, W2) }",
          "lane_mixing");
}

TEST_CASE("pad: forms of Gemm") {
  const auto gemm = [](const std::string& attributes, const Shape& w, const std::string& bias,
                       const Shape& x = {4, 16}) {
    return "g (float[" + std::to_string(x[0]) + "," + std::to_string(x[1]) + "] x) => (float[4,8] y) <" +
           weight("W1", w) + ", " + bias + ", " + weight("W2", {8, 50}) + ", " + weight("b2", {8}) + "> { h = Gemm<" +
           attributes + ">(x, W1, C) a = Tanh(h) y = Gemm<transB = 1>(a, W2, b2) }";
  };
  pads(gemm("transB = 1", {50, 16}, weight("C", {50})), {{"W1", {56, 16}}, {"C", {56}}, {"W2", {8, 56}}});
  pads(gemm("alpha = 0.5, beta = 2.0, transB = 1", {50, 16}, weight("C", {1, 50})), {{"C", {1, 56}}});
  pads(gemm("transA = 1", {16, 50}, weight("C", {4, 50}), {16, 4}), {{"C", {4, 56}}});
  pads(gemm("beta = 3.0", {16, 50}, "float C = {0.7}"), {{"C", {}}, {"a", {4, 56}}});
}

TEST_CASE("pad: every layer of a chain, a symbolic batch, several readers and a vector") {
  pads("g (float[N,16] x) => (float[N,8] y) <" + weight("W0", {16, 50}) + ", " + weight("b0", {50}) + ", " +
           weight("W1", {50, 21}) + ", " + weight("W2", {21, 8}) +
           "> { h = Gemm(x, W0, b0) a = Relu(h) i = MatMul(a, W1) j = Tanh(i) y = MatMul(j, W2) }",
       {{"W0", {16, 56}}, {"W1", {56, 24}}, {"W2", {24, 8}}});
  pads("g (float[4,16] x) => (float[4,8] p, float[4] q) <" + weight("W1", {16, 50}) + ", " + weight("Wa", {50, 8}) +
           ", " + weight("v", {50}) + "> { h = MatMul(x, W1) a = Relu(h) p = MatMul(a, Wa) q = MatMul(a, v) }",
       {{"W1", {16, 56}}, {"v", {56}}});
}

TEST_CASE("pad: the multiple follows the type that the model will run in") {
  RewriteRequest request = always(0);
  pads(mlp("a = Relu(h)", 50), {{"W1", {16, 52}}}, request);
  request.compute = DType::bf16;
  pads(mlp("a = Relu(h)", 50), {{"W1", {16, 56}}}, request);
}

TEST_CASE("pad: Einsum") {
  const RewriteOutcome outcome =
      pad(model("g (float[2,3,16] x) => (float[2,3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
                "> { h = Einsum<equation = \"bsd,dh->bsh\">(x, W1) a = Relu(h) y = MatMul(a, W2) }"));
  CHECK(shapes(outcome.model).at("W1") == Shape{16, 56});
  CHECK(shapes(outcome.model).at("W2") == Shape{56, 8});
  idempotent(outcome);
}

}  // namespace
}  // namespace aegis
