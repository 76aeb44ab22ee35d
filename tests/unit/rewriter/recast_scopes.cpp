#include "recast_fixture.hpp"

namespace aegis::recast_test {
namespace {

TEST_CASE("what a Loop carries changes type together, scan outputs included") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y, float[n,2,2] all)
      <int64 n = {3}, bool c = {1}, float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [loop] last, all = Loop(n, c, x) <body = body (int64 i, bool ci, float[2,2] st) => (bool co, float[2,2] so, float[2,2] each) {
      [mm] h = MatMul(st, w) [add] so = Add(h, st) [neg] each = Neg(so) [id] co = Identity(ci) }>
    [out] y = MatMul(last, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(reads(step.after, "loop", 2) == DType::bf16);
  CHECK(reads(step.after, "mm", 0) == DType::bf16);
  CHECK(makes(step.after, "loop", 0) == DType::bf16);
  CHECK(count(step.after, "Cast") == 3);

  const PrecisionOptions options = keeping(bf16(), {"add"});
  const Step pinned = recast(before, options);
  check_sound(before, pinned, options);
  CHECK(makes(pinned.after, "add") == DType::f32);
  CHECK(reads(pinned.after, "mm", 0) == DType::bf16);
}

TEST_CASE("a value that a body hands out twice has one type") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y, float[n,2,2] z)
      <int64 n = {3}, bool c = {1}, float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [loop] last, all = Loop(n, c, x) <body = body (int64 i, bool ci, float[2,2] st) => (bool co, float[2,2] so, float[2,2] so) {
      [mm] so = MatMul(st, w) [id] co = Identity(ci) }>
    [out] y = MatMul(last, w) [hold] z = Sin(all) })");
  const PrecisionOptions options = keeping(bf16(), {"hold"});
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(makes(step.after, "loop", 0) == makes(step.after, "loop", 1));
}

TEST_CASE("Scan states and scan outputs match the body") {
  const Model before =
      parse(17, R"(g (float[2] s, float[5,2] x) => (float[2] y, float[5,2] z) <float[2] w = {2.0, 3.0}> {
    [m] q = Mul(x, w)
    [scan] y, z = Scan(s, q) <num_scan_inputs = 1, body = body (float[2] a, float[2] b) => (float[2] c, float[2] d) {
      [add] c = Add(a, b) [mul] d = Mul(c, w) }> })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(makes(step.after, "add") == DType::bf16);
}

TEST_CASE("a Cast that a branch needs stands in the branch; both branches end in one type") {
  const Model before = parse(17, R"(g (float[2,2] x, bool c) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [pre] h = MatMul(x, w)
    [if] i = If(c) <then_branch = t () => (float[2,2] a) { [e] q = Einsum<equation = "ij->ij">(h) [r] a = Relu(q) },
                    else_branch = e () => (float[2,2] b) { [t] b = Tanh(h) }>
    [mm] y = MatMul(i, w) })");
  PrecisionOptions options = bf16();
  options.max_opset = 27;
  const Step step = recast(before, options);
  check_sound(before, step, options);
  CHECK(makes(step.after, "e") == DType::f32);
  CHECK(makes(step.after, "t") == DType::bf16);
  const Node& einsum = node(step.after, "e");
  const Value& read = step.after.value(einsum.inputs[0]);
  CHECK(read.scope == einsum.scope);
  CHECK(step.after.node(read.producer).op == "Cast");
}

TEST_CASE("a body that returns an outer value follows its type") {
  const Model before = parse(17, R"(g (float[2,2] x, bool c) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [pre] h = MatMul(x, w)
    [if] i = If(c) <then_branch = t () => (float[2,2] a) { [r] a = Relu(h) },
                    else_branch = e () => (float[2,2] b) { [id] b = Identity(w) }>
    [mm] y = MatMul(i, w) })");
  const Step step = recast(before, fp16());
  check_sound(before, step, fp16());
  CHECK(makes(step.after, "if") == DType::f16);
}

TEST_CASE("sequences stay as they are, Casts around them") {
  const Model before = parse(17, R"(g (float[5,8] x) => (float[1,8] y) <int64 i = {2}> {
    [pre] h = Mul(x, x) [split] s = SplitToSequence<axis = 0>(h) [at] e = SequenceAt(s, i) [post] y = Mul(e, e) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(reads(step.after, "split", 0) == DType::f32);
  CHECK(makes(step.after, "post") == DType::bf16);
  CHECK(makes(step.after, "pre") == DType::bf16);
}

TEST_CASE("functions of the model stay FLOAT, with Casts at the call") {
  const Model before = parse(R"(<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
      [mm] h = MatMul(x, w) [call] a = local.Act(h) [mm2] y = MatMul(a, w) }
    <domain: "local", opset_import: ["" : 17]> Act (x) => (y) { s = Sigmoid(x) y = Mul(x, s) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(count(step.after, "Cast") == 4);
  CHECK(reads(step.after, "call", 0) == DType::f32);
  REQUIRE(step.output.wide.size() == 1);
  CHECK(step.output.wide[0].cause == "calls the model's own function Act");
}

TEST_CASE("unknown operators keep their float inputs and outputs") {
  const Model before = parse(R"(<ir_version: 8, opset_import: ["" : 17, "com.example" : 1]>
    g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}, float[2,2] k> {
      [mm] h = MatMul(x, w) [odd] k = com.example.Odd(h) [mm2] y = MatMul(k, w) })");
  const Step step = recast(before, bf16());
  check_sound(before, step, bf16());
  CHECK(reads(step.after, "odd", 0) == DType::f32);
  CHECK(makes(step.after, "mm2") == DType::bf16);
  CHECK(reads(step.after, "mm2", 0) == DType::bf16);
  CHECK(count(step.after, "Cast") == 4);
}

TEST_CASE("names that look like ours do not clash, unnamed nodes are no trouble") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    ["x/bf16"] "x/to_bf16" = Relu(x)
    "x/bf16" = Einsum<equation = "ij->ij">("x/to_bf16")
    "y/bf16" = MatMul("x/bf16", w)
    y = Tanh("y/bf16") })");
  PrecisionOptions options = bf16();
  options.max_opset = 27;
  const Step step = recast(before, options);
  check_sound(before, step, options);
  std::vector<std::string> names;
  for (const Node& each : step.after.nodes()) {
    if (each.alive && !each.name.empty()) names.emplace_back(each.name);
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE("an unsorted source comes out sorted") {
  const Model before = parse(17, R"(g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1.0, 0.5, 0.25, 2.0}> {
    [late] y = Relu(h) [early] h = MatMul(x, w) })");
  const Step step = run_pass("recast_float", before, bf16());
  REQUIRE(step.changed);
  CHECK(step.after.node(step.after.main().nodes.back()).op == "Cast");
  check_sound(before, step, bf16());
}

}  // namespace
}  // namespace aegis::recast_test
