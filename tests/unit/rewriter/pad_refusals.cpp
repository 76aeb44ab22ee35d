#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

TEST_CASE("pad: nothing to do leaves the model and the file as they are") {
  const std::vector<std::string> texts = {
      "g (float[7,16] x) => (float[7,24] y) <" + weight("W", {16, 24}) + "> { y = MatMul(x, W) }",
      "g (float[8,16] x) => (float[8,1] y) <" + weight("W", {16, 1}) + "> { y = MatMul(x, W) }",
      "g (float[N,32] x) => (float[N,64] y) <" + weight("W", {32, 64}) + "> { y = MatMul(x, W) }"};
  for (const std::string& text : texts) {
    const Model before = model(text);
    const RewriteOutcome outcome = pad(before);
    CHECK_FALSE(outcome.changed);
    CHECK(reasons(outcome).empty());
    CHECK(*serialise(outcome.model) == *serialise(before));
  }
}

TEST_CASE("pad: the interface stays") {
  refuses("g (float[3,16] x) => (float[3,10] y) <" + weight("W", {16, 10}) + "> { y = MatMul(x, W) }", "border_cost");
  refuses("g (float[3,20] x) => (float[3,8] y) <" + weight("W", {20, 8}) + "> { y = MatMul(x, W) }", "border_cost");
  refuses("g (float[3,50] a, float[50,8] b) => (float[3,8] y) { y = MatMul(a, b) }", "border_cost");
  refuses("g (float[3,16] x, float[3,50] past_key) => (float[3,8] y) <" + weight("W", {16, 50}) + ", " +
              weight("W2", {50, 8}) + "> { h = MatMul(x, W) s = Add(h, past_key) y = MatMul(s, W2) }",
          "state_io");
  refuses("g (float[3,16] x) => (float[3,50] h, float[3,8] y) <" + weight("W", {16, 50}) + ", " +
              weight("W2", {50, 8}) + "> { z = MatMul(x, W) h = Relu(z) y = MatMul(h, W2) }",
          "border_cost");
}

TEST_CASE("pad: operators that nothing is known of, norms, bodies, functions") {
  const std::string weights = weight("W1", {16, 50}) + ", " + weight("W2", {50, 8});
  refuses(
      "<ir_version: 8, opset_import: [\"\": 17, \"custom\": 1]> g (float[3,16] x) => (float[3,8] y) <" + weights +
          ", float[3,50] none = {" +
          [] {
            std::string z = "0";
            for (int i = 1; i < 150; ++i) z += ",0";
            return z;
          }() +
          "}> { h = MatMul(x, W1) m = custom.Mystery(h) n = Add(m, none) y = MatMul(n, W2) }",
      "unknown_op");
  refuses("g (float[3,16] x) => (float[3,8] y) <" + weights + ", " + weight("s", {50}) + ", " + weight("b", {50}) +
              "> { h = MatMul(x, W1) n = LayerNormalization<axis = -1>(h, s, b) y = MatMul(n, W2) }",
          "unfoldable_norm");
  refuses("g (float[3,16] x, bool c) => (float[3,8] y) <" + weights +
              "> { h = MatMul(x, W1) r = If (c) <then_branch = t () => (float[3,50] u) { u = Relu(h) }, else_branch = "
              "e () => (float[3,50] v) { v = Neg(h) }>"
              " y = MatMul(r, W2) }",
          "control_flow");
  refuses("g (float[3,16] x) => (float[2,k] y) <" + weight("W1", {16, 50}) + "> { h = MatMul(x, W1) y = NonZero(h) }",
          "lane_mixing");
}

TEST_CASE("pad: a class wholly inside a body is padded there") {
  const std::string branch = [] {
    return "t () => (float[3,8] u) <" + weight("A1", {16, 50}) + ", " + weight("A2", {50, 8}) +
           "> { p = MatMul(x, A1) q = Relu(p) u = MatMul(q, A2) }";
  }();
  pads("g (float[3,16] x, bool c) => (float[3,8] y) <" + weight("W", {16, 8}) +
           "> { y = If (c) <then_branch = " + branch + ", else_branch = e () => (float[3,8] v) { v = MatMul(x, W) }> }",
       {{"A1", {16, 56}}, {"A2", {56, 8}}});
}

TEST_CASE("pad: limits on growth") {
  const std::string text = "g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 5}) + ", " +
                           weight("W2", {5, 8}) + "> { h = MatMul(x, W1) a = Relu(h) y = MatMul(a, W2) }";
  RewriteRequest request = always();
  request.padding.max_tensor_growth = 1.35;
  refuses(text, "tensor_growth", request);
  request = always();
  request.padding.max_flop_growth = 1.25;
  refuses(text, "flop_growth", request);
  request = always();
  request.padding.max_file_growth = 1.10;
  refuses(text, "file_growth", request);
  request = always();
  request.padding.max_activation_growth = 1.05;
  refuses(text, "activation_growth", request);
}

TEST_CASE("pad: one refused class does not stop another") {
  const RewriteOutcome outcome = pads("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " +
                                          weight("W2", {50, 21}) + ", " + weight("W3", {21, 8}) +
                                          ", int64[1] ax = {1}> { h = MatMul(x, W1) a = Relu(h) b = MatMul(a, W2) m = "
                                          "ReduceMean(b, ax) c = Sub(b, m) y = MatMul(c, W3) }",
                                      {{"W1", {16, 56}}, {"W2", {56, 21}}, {"W3", {21, 8}}});
  CHECK(refused_with(outcome, "lane_mixing"));
}

}  // namespace
}  // namespace aegis
