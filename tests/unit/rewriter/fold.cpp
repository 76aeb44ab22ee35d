#include "tests/unit/rewriter/pad_lab.hpp"

namespace aegis {
namespace {

using namespace lab;

RewriteOutcome fold(const Model& before) {
  RewriteRequest request;
  request.fold = true;
  return pad(before, request);
}

std::size_t nodes(const Model& model) { return model.main().nodes.size(); }

TEST_CASE("fold: arithmetic on constants and on known extents") {
  const Model before = model(
      "g (float[2,6] x) => (float[3,4] y) <float a = {2}, float b = {5}, int64 at = {0}, int64[1] ax = {0}, int64[1] "
      "four = {4}, int64 one = {1}>"
      " { c = Mul(a, b) s = Shape(x) n = Gather(s, at) m = Add(n, one) u = Unsqueeze(m, ax) t = Concat<axis = 0>(u, "
      "four) r = Reshape(x, t) y = Mul(r, c) }");
  const RewriteOutcome outcome = fold(before);
  CHECK(outcome.changed);
  CHECK(outcome.safety == Safety::exact);
  CHECK(nodes(outcome.model) == 2);
  same_bits(before, outcome.model);
  CHECK_FALSE(fold(outcome.model).changed);
  const auto left = shapes(outcome.model);
  CHECK(left.contains("t"));
  CHECK_FALSE(left.contains("a"));
}

TEST_CASE("fold: what depends on an input, on chance or on a caller stays") {
  const Model before = model(
      "<ir_version: 8, opset_import: [\"\": 17]> g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}>"
      " { a = Neg(w) r = RandomNormal<shape = [2]>() s = Add(a, r) y = Add(s, x) }");
  CHECK_FALSE(fold(before).changed);
}

TEST_CASE("fold: a graph output keeps the node that makes it") {
  const Model before =
      model("g (float[2] x) => (float[2] y, float[2] z) <float[2] a = {1, 2}> { z = Neg(a) y = Add(x, a) }");
  CHECK_FALSE(fold(before).changed);
}

}  // namespace
}  // namespace aegis
