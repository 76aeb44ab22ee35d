// Groups, fusion, chains, patterns, masks, types, folding: what the graph's structure tells.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <thread>

#include "table.hpp"

using namespace aegis;
using aegis::test::table;

namespace {

std::string graph(std::string_view body, int opset = 21) {
  return "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) + "]>\n" + std::string(body);
}
std::string_view text(aegis_str s) { return {s.data, s.size}; }

constexpr auto layer_norm = R"(g (float[8,256,768] x) => (float[8,256,768] y)
  <float two = {2.0}, float eps = {0.00001}, float[768] g = {0.0}, float[768] b = {0.0}>
  { [mean] m = ReduceMean<axes = [-1]>(x) [sub] d = Sub(x, m) [pow] s = Pow(d, two)
    [var] v = ReduceMean<axes = [-1]>(s) [addeps] e = Add(v, eps) [sqrt] r = Sqrt(e) [div] n = Div(d, r)
    [gamma] h = Mul(n, g) [beta] y = Add(h, b) })";

}  // namespace

TEST_CASE("equal nodes are one group, in every scope") {
  const auto t = table(graph(R"(g (float[64,64] x, float[64,64] w, float[64,64] v, bool c) => (float[64,64] y)
      { [a] h = MatMul(x, w) [r] i = Relu(h) [b] j = MatMul(i, v) [s] k = Relu(j) [last] l = MatMul(k, w) [t] y = Tanh(l) })"));
  CHECK(t.facts->group_of(t.node("r")) == t.facts->group_of(t.node("s")));
  CHECK(t.facts->group_of(t.node("b")) != t.facts->group_of(t.node("last")));  // another reader
  CHECK(t.facts->group_of(t.node("a")) != t.facts->group_of(t.node("r")));
  const auto* group = t.of<aegis_group_info>("s");
  CHECK(group->copies == 2);
  CHECK(group->members.data[0].id == static_cast<std::uint32_t>(t.node("r")));
  const auto* cost = t.facts->get<aegis_cost>(t.facts->group_of(t.node("r")));
  CHECK(cost->flops == 2.0 * 64 * 64);
}

TEST_CASE("a fact is made once, whoever asks") {
  const auto t = table(test::matmul(64, 64, 64));
  CHECK(t.facts->made() == 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) (void)t.of<aegis_cost>("fc"), (void)t.of<aegis_gemm>("fc");
    });
  for (auto& thread : threads) thread.join();
  CHECK(t.facts->made(AEGIS_FACT_COST) == 1);
  CHECK(t.facts->made(AEGIS_FACT_GEMM) <= 2);  // of both nodes
  CHECK(t.of<aegis_gemm>("fc") ==
        t.facts->fact(AEGIS_FACT_GEMM, {AEGIS_PLACE_NODE, static_cast<std::uint32_t>(t.node("fc"))}, nullptr));
}

TEST_CASE("wrong ids and places give a reason, not a crash") {
  const auto t = table(test::matmul(64, 64, 64));
  aegis_absence why = AEGIS_PRESENT;
  CHECK(t.facts->fact("aegis.fact.nothing/1", {AEGIS_PLACE_NODE, 0}, &why) == nullptr);
  CHECK(why == AEGIS_NO_SUCH_FACT);
  CHECK(t.facts->fact(AEGIS_FACT_COST, {AEGIS_PLACE_NODE, 12345}, &why) == nullptr);
  CHECK(why == AEGIS_NOT_APPLICABLE);
  CHECK(t.facts->fact(AEGIS_FACT_COST, {99, 0}, &why) == nullptr);
  CHECK(t.facts->fact(AEGIS_FACT_GEMM, {AEGIS_PLACE_VALUE, 0}, &why) == nullptr);
  CHECK(t.facts->query("aegis.query.nothing/1", &why, &why) == AEGIS_UNSUPPORTED);
  aegis_pad_in in;
  aegis_pad_out out;
  CHECK(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_INVALID);
  CHECK(t.facts->query(AEGIS_QUERY_PAD, nullptr, &out) == AEGIS_INVALID);
  in.struct_size = 8;
  CHECK(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_INVALID);
}

TEST_CASE("an epilogue joins its product; a graph output stays a border") {
  const auto t = table(
      graph(
          R"(g (float[64,128] x, float[128,256] w, float[256] b, float[64,256] r) => (float[64,256] y, float[64,256] z)
      { [fc] h = MatMul(x, w) [bias] i = Add(h, b) [act] j = Relu(i) [res] y = Add(j, r) [after] z = Tanh(y) })"),
      "a100", "fp16");
  const auto* fusion = t.of<aegis_fusion>("fc");
  CHECK(fusion->kind == AEGIS_FUSION_EPILOGUE);
  CHECK(fusion->nodes.count == 4);
  CHECK(t.of<aegis_fusion>("after")->id != fusion->id);
  const double s = 2;
  CHECK(fusion->bytes.fused == s * (64 * 128 + 128 * 256 + 256 + 64 * 256 + 64 * 256));
  CHECK(t.of<aegis_cost>("act")->bytes.fused == 0);  // told of the product
  CHECK(t.of<aegis_cost>("fc")->kernels.fused == 1);
}

TEST_CASE("a group never has a way around it") {
  const auto t = table(graph(R"(g (float[64,64] x, float[64,64] w) => (float[64,64] y)
      { [r] a = Relu(x) [mm] b = MatMul(a, w) [add] y = Add(a, b) })"));
  // Relu and Add could only be one kernel if the product between them were in it.
  CHECK(t.of<aegis_fusion>("r")->id != t.of<aegis_fusion>("add")->id);
}

TEST_CASE("views are free, Concat along the outermost axis is written in place") {
  const auto t = table(graph(R"(g (float[4,64] x, float[4,64] z) => (float[8,64] y, float[256] f)
      <int64[1] shape = {256}>
      { [v] f = Reshape(x, shape) [a] p = Relu(x) [b] q = Tanh(z) [cat] y = Concat<axis = 0>(p, q) })"));
  CHECK(t.of<aegis_cost>("v")->kernels.op == 0);
  CHECK(t.of<aegis_cost>("v")->time_us.op == 0);
  CHECK(t.of<aegis_fusion>("v")->kind == AEGIS_FUSION_VIEW);
  CHECK(t.of<aegis_fusion>("cat")->kind == AEGIS_FUSION_CONCAT);
  CHECK(t.of<aegis_cost>("cat")->kernels.fused == 0);
  CHECK(t.of<aegis_cost>("cat")->kernels.op == 1);
}

TEST_CASE("norms and softmax written out are found") {
  const auto t = table(graph(layer_norm, 17));
  const auto* p = t.of<aegis_pattern>("sqrt");
  REQUIRE(p);
  CHECK(p->kind == AEGIS_PATTERN_LAYER_NORM);
  CHECK((p->flags & AEGIS_PATTERN_COMPLETE));
  CHECK_FALSE((p->flags & AEGIS_PATTERN_INNER_USED));
  CHECK(p->nodes.count == 9);
  CHECK(p->anchor.id == static_cast<std::uint32_t>(t.node("mean")));
  CHECK(std::abs(p->epsilon_value - 1e-5) < 1e-9);
  CHECK(p->n.value == 768);
  CHECK(p->min_opset == 17);
  CHECK(text(p->fused_op) == "LayerNormalization");
  CHECK(p->scale.id == static_cast<std::uint32_t>(t.value("g")));
  CHECK(p->shift.id == static_cast<std::uint32_t>(t.value("b")));
  CHECK(t.facts->groups(AEGIS_PATTERN_LAYER_NORM).size() == 1);
  CHECK(t.of<aegis_fusion>("sqrt")->kind == AEGIS_FUSION_NORM);
  CHECK(t.of<aegis_fusion>("sqrt")->nodes.count == 9);

  const auto rms = table(
      graph(R"(g (float[4,64] x) => (float[4,64] y) <float two = {2.0}, float eps = {0.000001}, float[64] g = {0.0}>
      { [sq] s = Pow(x, two) m = ReduceMean<axes = [-1]>(s) e = Add(m, eps) r = Sqrt(e) i = Reciprocal(r)
        n = Mul(x, i) [scale] y = Mul(n, g) })",
            17));
  CHECK(rms.of<aegis_pattern>("scale")->kind == AEGIS_PATTERN_RMS_NORM);

  const auto soft = table(graph(R"(g (float[4,64] x) => (float[4,64] y) <int64[1] last = {-1}>
      { m = ReduceMax<axes = [-1]>(x) c = Sub(x, m) [e] e = Exp(c) s = ReduceSum(e, last) y = Div(e, s) })",
                                17));
  const auto* softmax = soft.of<aegis_pattern>("e");
  REQUIRE(softmax);
  CHECK(softmax->kind == AEGIS_PATTERN_SOFTMAX);
  CHECK((softmax->flags & AEGIS_PATTERN_MAX_SUBTRACTED));
  CHECK(softmax->nodes.count == 5);

  const auto used = table(graph(R"(g (float[8,768] x) => (float[8,768] y, float[8,1] m)
      <float two = {2.0}, float eps = {0.00001}>
      { [mean] m = ReduceMean<axes = [-1]>(x) d = Sub(x, m) s = Pow(d, two) v = ReduceMean<axes = [-1]>(s)
        e = Add(v, eps) r = Sqrt(e) y = Div(d, r) })",
                                17));
  CHECK((used.of<aegis_pattern>("mean")->flags & AEGIS_PATTERN_INNER_USED));
}

TEST_CASE("chains: launches, shapes, convolutions, transposes") {
  std::string cells;
  std::string last = "x";
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    cells += "[op" + n + "] v" + n + " = Tanh(" + last + ") ";
    last = "v" + n;
  }
  const auto t = table(graph("g (float[1,8] x) => (float[1,8] y) { " + cells + " y = Relu(" + last + ") }"));
  const auto launches = t.facts->groups(AEGIS_PATTERN_LAUNCH_CHAIN);
  REQUIRE(launches.size() == 1);
  CHECK(t.facts->get<aegis_chain>(launches[0])->kernels.op == 13);
  CHECK(t.facts->get<aegis_chain>(launches[0])->percent.op > 99);

  const auto shape =
      table(graph(R"(g (float[N,S,64] x) => (float[N,R] y) <int64 zero = {0}, int64[1] axis = {0}, int64[1] rest = {-1}>
      { [shape] s = Shape(x) [gather] n = Gather(s, zero) [unsq] u = Unsqueeze(n, axis) [concat] c = Concat<axis = 0>(u, rest)
        [reshape] y = Reshape(x, c) })"));
  const auto shapes = shape.facts->groups(AEGIS_PATTERN_SHAPE_CHAIN);
  REQUIRE(shapes.size() == 1);
  CHECK(shape.facts->get<aegis_pattern>(shapes[0])->nodes.count == 4);
  CHECK(shape.of<aegis_cost>("gather")->kernels.op == 0);
  const auto* path = shape.facts->get<aegis_shape_path>(shape.value("c"));
  REQUIRE(path);
  CHECK(path->sinks == AEGIS_SINK_RESHAPE);
  CHECK(path->rooted_in_shape == AEGIS_YES);
  const auto* foldable = shape.facts->get<aegis_foldable>(shape.value("c"));
  CHECK(foldable->foldable == AEGIS_UNKNOWN);
  REQUIRE(foldable->symbols.count >= 1);
  CHECK(text(*static_cast<const aegis_str*>(foldable->symbols.data)) == "N");

  const auto convs = table(graph(R"(g (float16[8,64,32,32] x, float16[64,64,3,3] w) => (float16[8,64,32,32] y)
      { a = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(x, w) b = Relu(a) c = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(b, w)
        d = Relu(c) y = Conv<kernel_shape = [3,3], pads = [1,1,1,1]>(d, w) })"));
  REQUIRE(convs.facts->groups(AEGIS_PATTERN_CONV_CHAIN).size() == 1);
  CHECK(convs.facts->get<aegis_chain>(convs.facts->groups(AEGIS_PATTERN_CONV_CHAIN)[0])->kernels.op == 3);

  const auto turned = table(graph(R"(g (float[8,64,32,32] x) => (float[8,64,32,32] y)
      { a = Transpose<perm = [0,2,3,1]>(x) b = Relu(a) y = Transpose<perm = [0,3,1,2]>(b) })"));
  REQUIRE(turned.facts->groups(AEGIS_PATTERN_TRANSPOSE_CHAIN).size() == 1);
  CHECK(turned.facts->get<aegis_chain>(turned.facts->groups(AEGIS_PATTERN_TRANSPOSE_CHAIN)[0])->identity == AEGIS_YES);
}

TEST_CASE("masks that reach a softmax") {
  const auto t = table(graph(R"(g (float[1,4,16,8] q, float[1,4,8,16] k, float[1,1,1,16] keep) => (float[1,4,16,16] y)
      <float one = {1.0}, float big = {-10000.0}, float[1,1,16,16] causal = {0.0}>
      { inv = Sub(one, keep) add = Mul(inv, big) s = MatMul(q, k) a = Add(s, add) b = Add(a, causal) [sm] y = Softmax(b) })"));
  const auto* mask = t.of<aegis_mask>("sm");
  REQUIRE(mask);
  REQUIRE(mask->planes.count == 2);
  const auto* planes = static_cast<const aegis_mask_plane*>(mask->planes.data);
  CHECK(planes[0].how == AEGIS_MASK_ADD);
  CHECK(planes[0].fill == -10000);
  CHECK(planes[0].constant.id == static_cast<std::uint32_t>(t.value("big")));
  CHECK(planes[1].constant.id == static_cast<std::uint32_t>(t.value("causal")));
  REQUIRE(planes[0].way.count == 4);  // the product with the fill, both sums, the Softmax
  CHECK(planes[0].way.data[3].id == static_cast<std::uint32_t>(t.node("sm")));
  CHECK(planes[1].way.count == 2);
  CHECK(t.of<aegis_attention>("sm") == nullptr);  // no product reads the probabilities
}

TEST_CASE("reductions say how many elements they fold") {
  const auto t =
      table(graph(R"(g (float[8,64,7,7] x, float[4,512] z) => (float[8,64,1,1] y, float[4,1] n, float[4,512] c)
      <int64[1] last = {-1}, int64 axis = {1}>
      { [gap] y = GlobalAveragePool(x) [l2] n = ReduceL2(z, last) [cum] c = CumSum(z, axis) })"));
  CHECK(t.of<aegis_reduction>("gap")->n.value == 49);
  CHECK(t.of<aegis_reduction>("gap")->kind == AEGIS_REDUCTION_MEAN);
  CHECK(t.of<aegis_reduction>("l2")->n.value == 512);
  CHECK(t.of<aegis_reduction>("l2")->squares == 1);
  CHECK(t.of<aegis_reduction>("cum")->kind == AEGIS_REDUCTION_SCAN);
  CHECK(t.of<aegis_reduction>("cum")->n.value == 512);
}

TEST_CASE("types: slots, groups and what a recast plans") {
  const auto t = table(graph(R"(g (float[4,8] x, float[8,8] w, int64[4] ids) => (float[4,8] y)
      { h = MatMul(x, w) r = Relu(h) s = Shape(r) f = Cast<to = 1>(s) i = Cast<to = 7>(f) [out] y = Reshape(r, i) })"),
                       "a100", "bf16");
  const auto* group = t.facts->get<aegis_type_group>(t.value("h"));
  REQUIRE(group);
  CHECK(group->now == AEGIS_DTYPE_FLOAT);
  CHECK(group->planned == AEGIS_DTYPE_BFLOAT16);
  CHECK(t.facts->get<aegis_type_group>(t.value("x"))->id == group->id);
  CHECK((group->flags & AEGIS_TYPE_GROUP_IO));
  CHECK(group->risk == AEGIS_RISK_GEMM);
  const auto* shape = t.facts->get<aegis_type_group>(t.value("f"));
  CHECK((shape->flags & AEGIS_TYPE_GROUP_SHAPE));
  CHECK(shape->planned == AEGIS_DTYPE_BFLOAT16);  // a rule pins it, not the plan
  CHECK(t.facts->get<aegis_type_group>(t.value("ids")) == nullptr);
  const auto* slots = t.of<aegis_slots>("out");
  REQUIRE(slots);
  CHECK(slots->mixed == 0);
  CHECK(slots->list.count == 3);

  const auto island = table(graph(R"(g (float16[4,8] x) => (float16[4,8] y)
      { u = Cast<to = 1>(x) m = Tanh(u) y = Cast<to = 10>(m) })"),
                            "a100", "fp16");
  CHECK((island.facts->get<aegis_type_group>(island.value("m"))->flags & AEGIS_TYPE_GROUP_ISLAND));
  CHECK(island.facts->get<aegis_type_group>(island.value("m"))->planned == AEGIS_DTYPE_FLOAT);
}

TEST_CASE("kernels of runtimes, and the opset that a type needs") {
  const auto body = R"(g (float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,4,6,6] y)
      { [c] h = Conv<kernel_shape = [3,3]>(x, w) [r] y = Relu(h) })";
  const auto cpu = table(graph(body), "a100", "bf16", View{.runtime = AEGIS_RUNTIME_ORT_CPU});
  CHECK(cpu.of<aegis_support>("c")->kernel == AEGIS_KERNEL_NO);
  CHECK(cpu.of<aegis_support>("c")->schema_floor == 22);
  CHECK(cpu.of<aegis_support>("r")->schema_floor == 13);
  CHECK(cpu.of<aegis_support>("c")->dtype == AEGIS_DTYPE_BFLOAT16);
  const auto half = table(graph(body), "a100", "fp16", View{.runtime = AEGIS_RUNTIME_ORT_CPU});
  CHECK(half.of<aegis_support>("c")->kernel == AEGIS_KERNEL_CAST);
  CHECK(half.of<aegis_support>("c")->schema_floor == 1);
  const auto cuda = table(graph(body), "a100", "bf16", View{.runtime = AEGIS_RUNTIME_ORT_CUDA});
  CHECK(cuda.of<aegis_support>("c")->kernel == AEGIS_KERNEL_YES);
  const auto schema = table(graph(body), "a100", "bf16", View{.runtime = AEGIS_RUNTIME_SCHEMA});
  CHECK(schema.of<aegis_support>("c")->kernel == AEGIS_KERNEL_NO);
  CHECK(schema.of<aegis_support>("r")->kernel == AEGIS_KERNEL_YES);
  aegis_support_in in;
  in.node = handle(schema.node("c"));
  in.dtype = AEGIS_DTYPE_BFLOAT16;
  in.runtime = AEGIS_RUNTIME_SCHEMA;
  in.opset = 22;
  aegis_support out{};
  out.struct_size = sizeof out;
  REQUIRE(schema.facts->query(AEGIS_QUERY_SUPPORT, &in, &out) == AEGIS_OK);
  CHECK(out.kernel == AEGIS_KERNEL_YES);

  const auto pad = table(graph(R"(g (float[1,4,8,8] x) => (float[1,4,10,10] y) <int64[8] p = {0,0,1,1,0,0,1,1}>
      { [p] y = Pad(x, p) })"),
                         "a100", "", View{.runtime = AEGIS_RUNTIME_ORT_CUDA});
  CHECK(pad.of<aegis_support>("p")->placement == AEGIS_PLACEMENT_HOST);
  CHECK(pad.of<aegis_support>("p")->first_gap == 19);
}

TEST_CASE("logits are what only outputs and ranking read") {
  const auto t =
      table(graph(R"(g (float[4,64] x, float[64,64] w, float[64,50257] head) => (float[4,50257] y, int64[4,1] best)
      { h = MatMul(x, w) [head] y = MatMul(h, head) [arg] best = ArgMax<axis = 1>(y) })"));
  const auto* role = t.facts->get<aegis_role>(t.value("y"));
  REQUIRE(role);
  CHECK(role->role == AEGIS_ROLE_LOGITS);
  CHECK(role->sink.id == static_cast<std::uint32_t>(t.node("arg")));
  CHECK(t.facts->get<aegis_role>(t.value("h")) == nullptr);
}

TEST_CASE("attention with scale and mask is one core; a scale of one over the root of the head is the default") {
  const auto t = table(graph(R"(g (float[2,4,16,64] q, float[2,4,16,64] k, float[2,4,16,64] v, float[1,1,16,16] m)
      => (float[2,4,16,64] y) <float c = {0.125}>
      { kt = Transpose<perm = [0,1,3,2]>(k) [qk] s = MatMul(q, kt) [scale] t = Mul(s, c) [mask] u = Add(t, m)
        [sm] p = Softmax(u) [pv] y = MatMul(p, v) })"));
  const auto* core = t.of<aegis_attention>("sm");
  REQUIRE(core);
  CHECK(core->nodes.count == 5);
  CHECK(core->scale == 0.125);
  CHECK(core->scale_is_default == AEGIS_YES);
  CHECK(t.of<aegis_gemm>("qk")->core.id == core->core.id);
  CHECK(t.of<aegis_fusion>("scale")->kind == AEGIS_FUSION_ATTENTION);
  CHECK(t.facts->groups(AEGIS_PATTERN_ATTENTION).size() == 1);
}

TEST_CASE("statistics of weights need leave to read them") {
  const auto text = graph(R"(g (float[1,2] x) => (float[1,4] y)
      <float[2,4] w = {1.0, 70000.0, 0.00000001, 0.0, -2.0, 0.00001, 0.00000002, 0.5}> { [fc] y = MatMul(x, w) })");
  const auto closed = table(text);
  aegis_absence why = AEGIS_PRESENT;
  CHECK(closed.facts->get<aegis_weight_stats>(closed.value("w"), &why) == nullptr);
  CHECK(why == AEGIS_NO_WEIGHTS);
  const auto t = table(text, "a100", "", View{.weights = true});
  const auto* stats = t.facts->get<aegis_weight_stats>(t.value("w"));
  REQUIRE(stats);
  CHECK(stats->count == 8);
  CHECK(stats->channel_axis == 1);
  CHECK(stats->absmax == 70000);
  CHECK(stats->min == -2);
  CHECK(stats->zeros == 1);
  CHECK(stats->fp16.overflowed == 1);
  CHECK(stats->fp16.flushed == 2);
  CHECK(stats->fp16.subnormal == 3);
  CHECK(stats->fp16.flushed_channel_share == 0.25);
  CHECK(stats->fp16.subnormal_l1_share == 1);  // the third channel is subnormal, the others hold nearly all magnitudes
  CHECK(stats->bf16.overflowed == 0);
  CHECK(stats->bf16.flushed == 0);
}
