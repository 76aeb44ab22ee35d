#include "model/attribute.hpp"
#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

TEST_CASE("pad: channels through BatchNormalization, pools and a residual") {
  const std::string text =
      "g (float[1,8,6,6] x) => (float[1,8,3,3] y) <" + weight("w1", {21, 8, 3, 3}) + ", " + weight("b1", {21}) + ", " +
      weight("s", {21}) + ", " + weight("t", {21}) + ", " + weight("m", {21}) +
      ", float[21] v = {1,1,1,1,1,1,1,2,2,2,2,2,2,2,3,3,3,3,3,3,3}, " + weight("w2", {21, 21, 3, 3}) + ", " +
      weight("w3", {8, 21, 1, 1}) +
      "> { c = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(x, w1, b1) n = BatchNormalization(c, s, t, m, v) a = "
      "Relu(n)"
      " d = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(a, w2) r = Add(d, a)"
      " p = MaxPool<kernel_shape = [2,2], strides = [2,2]>(r) y = Conv<kernel_shape = [1,1]>(p, w3) }";
  pads(text, {{"w1", {24, 8, 3, 3}}, {"v", {24}}, {"w2", {24, 24, 3, 3}}, {"w3", {8, 24, 1, 1}}, {"r", {1, 24, 6, 6}}});
}

TEST_CASE("pad: a depthwise Conv grows with its class, squeeze and excitation too") {
  const std::string text = "g (float[1,8,6,6] x) => (float[1,8,6,6] y) <" + weight("w1", {21, 8, 1, 1}) + ", " +
                           weight("dw", {21, 1, 3, 3}) + ", " + weight("db", {21}) + ", " +
                           weight("s1", {5, 21, 1, 1}) + ", " + weight("s2", {21, 5, 1, 1}) + ", " +
                           weight("w3", {8, 21, 1, 1}) +
                           "> { c = Conv(x, w1) h = HardSwish(c) d = Conv<group = 21, kernel_shape = [3,3], pads = "
                           "[1,1,1,1]>(h, dw, db) e = HardSwish(d)"
                           " g = GlobalAveragePool(e) i = Conv(g, s1) j = Relu(i) k = Conv(j, s2) q = Sigmoid(k) z = "
                           "Mul(e, q) y = Conv(z, w3) }";
  const RewriteOutcome outcome =
      pads(text, {{"w1", {24, 8, 1, 1}}, {"dw", {24, 1, 3, 3}}, {"s1", {8, 24, 1, 1}}, {"z", {1, 24, 6, 6}}});
  for (const Node& node : outcome.model.nodes()) {
    if (node.alive && has_attribute(node, "group")) CHECK(attribute(node, "group", std::int64_t{1}) == 24);
  }
}

TEST_CASE("pad: one and three spatial dims") {
  pads("g (float[2,8,9] x) => (float[2,8,9] y) <" + weight("w1", {13, 8, 3}) + ", " + weight("w2", {8, 13, 1}) +
           "> { c = Conv<kernel_shape = [3], pads = [1,1]>(x, w1) a = Relu(c) y = Conv(a, w2) }",
       {{"w1", {16, 8, 3}}, {"w2", {8, 16, 1}}});
  pads("g (float[1,8,3,3,3] x) => (float[1,8,3,3,3] y) <" + weight("w1", {13, 8, 1, 1, 1}) + ", " +
           weight("w2", {8, 13, 1, 1, 1}) + "> { c = Conv(x, w1) a = Relu(c) y = Conv(a, w2) }",
       {{"w1", {16, 8, 1, 1, 1}}});
}

TEST_CASE("pad: NCHW to a dense layer by Flatten, by Reshape and by Transpose") {
  const std::string head =
      "g (float[2,8,4,4] x) => (float[2,8] y) <" + weight("w1", {13, 8, 1, 1}) + ", " + weight("W", {208, 8});
  pads(head + "> { c = Conv(x, w1) f = Flatten(c) y = MatMul(f, W) }",
       {{"w1", {16, 8, 1, 1}}, {"W", {256, 8}}, {"f", {2, 256}}});
  pads(head + ", int64[2] to = {0, 208}> { c = Conv(x, w1) f = Reshape(c, to) y = MatMul(f, W) }",
       {{"W", {256, 8}}, {"to/pad", {2}}});
  pads(head + ", int64[2] to = {0, -1}> { c = Conv(x, w1) f = Reshape(c, to) y = MatMul(f, W) }",
       {{"W", {256, 8}}, {"to", {2}}});
  const RewriteOutcome interior =
      pads(head + "> { c = Conv(x, w1) t = Transpose<perm = [0,2,3,1]>(c) f = Flatten(t) y = MatMul(f, W) }",
           {{"W", {256, 8}}});
  CHECK(interior.model.origins().at(interior.model.find("W")).axes.at(0).runs.size() == 16);
}

TEST_CASE("pad: groups only by option, a batch and an image never") {
  const std::string grouped = "g (float[1,8,4,4] x) => (float[1,8,4,4] y) <" + weight("w1", {15, 8, 1, 1}) + ", " +
                              weight("gw", {21, 5, 1, 1}) + ", " + weight("w3", {8, 21, 1, 1}) +
                              "> { c = Conv(x, w1) a = Sigmoid(c) d = Conv<group = 3>(a, gw) y = Conv(d, w3) }";
  refuses(grouped, "option_off");
  RewriteRequest request = always();
  request.padding.grouped = true;
  const RewriteOutcome outcome =
      pads(grouped, {{"w1", {24, 8, 1, 1}}, {"gw", {24, 8, 1, 1}}, {"w3", {8, 24, 1, 1}}}, request);
  CHECK(outcome.model.origins().at(outcome.model.find("w1")).axes.at(0).runs ==
        std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 3}, {5, 3}, {5, 3}});
  refuses("g (float[7,3,4,4] x) => (float[7,10,4,4] y) <" + weight("w", {10, 3, 1, 1}) + "> { y = Conv(x, w) }",
          "border_cost");
}

}  // namespace
}  // namespace aegis
