#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

TEST_CASE("pad: Concat and Split put padding inside the longer axis") {
  const RewriteOutcome concat =
      pads("g (float[3,16] x) => (float[3,8] y) <" + weight("Wa", {16, 5}) + ", " + weight("Wb", {16, 11}) + ", " +
               weight("W2", {16, 8}) +
               "> { a = MatMul(x, Wa) b = MatMul(x, Wb) c = Concat<axis = 1>(a, b) y = MatMul(c, W2) }",
           {{"Wa", {16, 8}}, {"Wb", {16, 16}}, {"W2", {24, 8}}});
  CHECK(concat.model.origins().at(concat.model.find("W2")).axes.at(0).runs ==
        std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 3}, {11, 5}});
  const std::string head =
      "g (float[3,16] x) => (float[3,8] y) <" + weight("W", {16, 100}) + ", " + weight("W2", {50, 8});
  pads(head +
           ", int64[2] sizes = {50, 50}> { h = MatMul(x, W) g, u = Split<axis = 1>(h, sizes) s = Sigmoid(g) a = Mul(s, "
           "u) y = MatMul(a, W2) }",
       {{"W", {16, 112}}, {"W2", {56, 8}}, {"sizes/pad", {2}}});
  pads(head +
           ", int64[1] zero = {0}, int64[1] half = {50}, int64[1] end = {9223372036854775807}, int64[1] axis = {1}> { "
           "h = MatMul(x, W)"
           " g = Slice(h, zero, half, axis) u = Slice(h, half, end, axis) s = Sigmoid(g) a = Mul(s, u) y = MatMul(a, "
           "W2) }",
       {{"W", {16, 112}}, {"W2", {56, 8}}, {"u", {3, 56}}});
}

TEST_CASE("pad: head dims of an attention block") {
  const std::string text = "g (float[2,5,16] x) => (float[2,5,16] y) <" + weight("Wq", {16, 40}) + ", " +
                           weight("Wk", {16, 40}) + ", " + weight("Wv", {16, 40}) + ", " + weight("Wo", {40, 16}) +
                           ", int64[4] heads = {2,5,2,20}, int64[3] flat = {2,5,40}, float scale = {0.2236}> {"
                           " q = MatMul(x, Wq) qr = Reshape(q, heads) qh = Transpose<perm = [0,2,1,3]>(qr)"
                           " k = MatMul(x, Wk) kr = Reshape(k, heads) kh = Transpose<perm = [0,2,3,1]>(kr)"
                           " v = MatMul(x, Wv) vr = Reshape(v, heads) vh = Transpose<perm = [0,2,1,3]>(vr)"
                           " s = MatMul(qh, kh) t = Mul(s, scale) p = Softmax<axis = -1>(t) o = MatMul(p, vh)"
                           " ot = Transpose<perm = [0,2,1,3]>(o) c = Reshape(ot, flat) y = MatMul(c, Wo) }";
  const RewriteOutcome outcome =
      pads(text, {{"Wq", {16, 48}}, {"Wo", {48, 16}}, {"qh", {2, 2, 5, 24}}, {"c", {2, 5, 48}}});
  CHECK(outcome.model.origins().at(outcome.model.find("Wq")).axes.at(0).runs ==
        std::vector<std::pair<std::int64_t, std::int64_t>>{{20, 4}, {20, 4}});
}

TEST_CASE("pad: what a Shape said stays a constant") {
  pads("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
           ", int64 last = {1}> { h = MatMul(x, W1) s = Shape(h) n = Gather(s, last) f = Cast<to = 1>(n) r = Sqrt(f) a "
           "= Div(h, r) y = MatMul(a, W2) }",
       {{"W1", {16, 56}}, {"W2", {56, 8}}});
  pads("g (float[N,16] x) => (float[N,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
           ", int64 last = {1}> { h = MatMul(x, W1) s = Shape(h) n = Gather(s, last) f = Cast<to = 1>(n) r = Sqrt(f) a "
           "= Div(h, r) y = MatMul(a, W2) }",
       {{"W1", {16, 56}}, {"W2", {56, 8}}});
  refuses("g (float[3,16] x) => (float y) <" + weight("W1", {16, 50}) +
              "> { h = MatMul(x, W1) s = Size(h) f = Cast<to = 1>(s) t = ReduceSum<keepdims = 0>(h) y = Div(t, f) }",
          "shape_read");
}

TEST_CASE("pad: moving axes, repeating them, adding them up") {
  pads("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {50, 8}) +
           ", int64[1] ax = {1}> { h = MatMul(x, W1) u = Unsqueeze(h, ax) t = Transpose<perm = [2,0,1]>(u)"
           " v = Transpose<perm = [1,2,0]>(t) a = Squeeze(v, ax) y = MatMul(a, W2) }",
       {{"t", {56, 3, 1}}});
  pads("g (float[3,16] x) => (float[3,8] y) <" + weight("W1", {16, 13}) + ", " + weight("W2", {26, 8}) +
           ", int64[2] r = {1,2}> { h = MatMul(x, W1) t = Tile(h, r) y = MatMul(t, W2) }",
       {{"t", {3, 32}}, {"W2", {32, 8}}});
  pads("g (float[3,16] x) => (float[3] y) <" + weight("W1", {16, 50}) +
           ", int64[1] ax = {1}> { h = MatMul(x, W1) a = Relu(h) y = ReduceSum<keepdims = 0>(a, ax) }",
       {{"a", {3, 56}}});
  refuses("g (float[3,16] x) => (float[3] y) <" + weight("W1", {16, 50}) +
              ", int64[1] ax = {1}> { h = MatMul(x, W1) a = Relu(h) y = ReduceMean<keepdims = 0>(a, ax) }",
          "lane_mixing");
  refuses("g (float[2,16] x) => (float[2,10,8] y) <" + weight("W1", {16, 50}) + ", " + weight("W2", {5, 8}) +
              ", int64[3] s = {2,5,10}> { h = MatMul(x, W1) r = Reshape(h, s) p = Softmax<axis = 1>(r) t = "
              "Transpose<perm = [0,2,1]>(p) y = MatMul(t, W2) }",
          "cut_segment");
}

TEST_CASE("pad: an embedding's width, in the table and after it") {
  pads("g (int64[2,5] ids) => (float[2,5,16] y) <" + weight("E", {12, 50}) + ", " + weight("W", {50, 16}) +
           "> { e = Gather<axis = 0>(E, ids) y = MatMul(e, W) }",
       {{"E", {12, 56}}, {"W", {56, 16}}});
}

}  // namespace
}  // namespace aegis
