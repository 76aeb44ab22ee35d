// FLOPs, bytes and intensities of nodes, by the formulas' own reference numbers.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "table.hpp"

using namespace aegis;
using aegis::test::table;

namespace {

double op_intensity(const test::Table& t, std::string_view node) { return t.of<aegis_roofline>(node)->intensity.op; }
bool near(double a, double b, double relative = 1e-3) { return std::abs(a - b) <= relative * std::abs(b); }
std::string graph(std::string_view body) { return "<ir_version: 10, opset_import: [\"\" : 21]>\n" + std::string(body); }

}  // namespace

TEST_CASE("intensities of products in 16 bit") {
  const auto one = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    return op_intensity(table(test::matmul(m, k, n), "a100", "fp16"), "fc");
  };
  CHECK(near(one(8192, 128, 8192), 124.1));
  CHECK(near(one(8192, 8192, 8192), 2730.7));
  CHECK(near(one(512, 1024, 4096), 315.08));
  CHECK(near(one(1, 1024, 4096), 1.0, 5e-3));
}

TEST_CASE("the first convolution of a ResNet, and a depthwise one") {
  const auto t = table(graph(R"(g (float[1,3,224,224] x, float[64,3,7,7] w) => (float[1,64,112,112] y)
      { [c] y = Conv<kernel_shape = [7,7], strides = [2,2], pads = [3,3,3,3]>(x, w) })"),
                       "a100", "bf16");
  CHECK(t.of<aegis_cost>("c")->flops == 236027904);
  const auto* conv = t.of<aegis_conv>("c");
  REQUIRE(conv);
  CHECK(conv->m.value == 112 * 112);
  CHECK(conv->n.value == 64);
  CHECK(conv->k.value == 147);
  CHECK(conv->input_root.id == static_cast<std::uint32_t>(t.value("x")));
  CHECK(conv->stride[0] == 2);

  const auto d = table(graph(R"(g (float[1,96,112,112] x, float[96,1,3,3] w) => (float[1,96,112,112] y)
      { [c] y = Conv<group = 96, kernel_shape = [3,3], pads = [1,1,1,1]>(x, w) })"),
                       "a100", "bf16");
  CHECK((d.of<aegis_conv>("c")->flags & AEGIS_CONV_DEPTHWISE));
  CHECK(near(op_intensity(d, "c"), 4.50));

  const auto up = table(graph(R"(g (float[1,64,16,16] x, float[64,32,2,2] w) => (float[1,32,32,32] y)
      { [c] y = ConvTranspose<kernel_shape = [2,2], strides = [2,2]>(x, w) })"),
                        "a100", "bf16");
  CHECK(up.of<aegis_cost>("c")->flops == 2.0 * 16 * 16 * 64 * 32 * 4);
}

TEST_CASE("elementwise, pooling and recurrent nodes") {
  const auto relu = table(graph("g (float16[1024,1024] x) => (float16[1024,1024] y) { [r] y = Relu(x) }"));
  CHECK(op_intensity(relu, "r") == 0.25);
  const auto pool = table(graph(R"(g (float16[1,64,56,56] x) => (float16[1,64,56,56] y)
      { [p] y = MaxPool<kernel_shape = [3,3], pads = [1,1,1,1]>(x) })"));
  CHECK(op_intensity(pool, "p") == 2.25);
  const auto lstm = table(graph(R"(g (float[100,64,128] x, float[1,1024,128] w, float[1,1024,256] r)
      => (float[100,1,64,256] y) { [l] y = LSTM<hidden_size = 256>(x, w, r) })"));
  CHECK(near(lstm.of<aegis_cost>("l")->flops, 5.03e9));
  CHECK(lstm.of<aegis_rnn>("l")->gates == 4);
  // The recurrent weights are read again in each of the other 99 steps.
  CHECK(near(lstm.of<aegis_cost>("l")->bytes.op - lstm.of<aegis_cost>("l")->bytes.fused, 4.0 * 99 * 4 * 256 * 256));
}

TEST_CASE("attention moves its scores only when every node is a kernel of its own") {
  const auto t = table(graph(R"(g (float16[8,16,4096,64] q, float16[8,16,64,4096] k, float16[8,16,4096,64] v)
      => (float16[8,16,4096,64] y) { [qk] s = MatMul(q, k) [sm] p = Softmax(s) [pv] y = MatMul(p, v) })"));
  double flops = 0, op = 0, fused = 0, kernels = 0;
  for (const char* node : {"qk", "sm", "pv"}) {
    const auto* cost = t.of<aegis_cost>(node);
    if (node[0] != 's') flops += cost->flops;
    op += cost->bytes.op;
    fused += cost->bytes.fused;
    kernels += cost->kernels.fused;
  }
  CHECK(near(flops, 549.8e9));
  CHECK(near(fused, 0.268e9, 5e-3));
  CHECK(near(op, 17.4e9, 5e-3));
  CHECK(kernels == 1);
  CHECK(t.of<aegis_fusion>("sm")->kind == AEGIS_FUSION_ATTENTION);
  CHECK(t.of<aegis_gemm>("qk")->core.id == static_cast<std::uint32_t>(t.node("sm")));
  const auto* attention = t.of<aegis_attention>("pv");
  REQUIRE(attention);
  CHECK(attention->heads.dim.value == 16);
  CHECK(attention->head_dim.dim.value == 64);
  CHECK(attention->key_len.dim.value == 4096);

  const auto fused_op = table(
      "<ir_version: 11, opset_import: [\"\" : 23]>\ng (float16[8,16,4096,64] q, float16[8,16,4096,64] k, "
      "float16[8,16,4096,64] v) "
      "=> (float16[8,16,4096,64] y) { [a] y = Attention(q, k, v) }");
  CHECK(near(fused_op.of<aegis_cost>("a")->flops, 549.8e9));
  CHECK(near(fused_op.of<aegis_cost>("a")->bytes.fused, 0.268e9, 5e-3));
  CHECK(near(fused_op.of<aegis_cost>("a")->bytes.op, 17.4e9, 5e-3));
}

TEST_CASE("exact GELU moves eleven tensors node by node and two when fused") {
  const auto t = table(graph(R"(g (float[8,1024,3072] x) => (float[8,1024,3072] y)
      <float r = {1.4142135}, float one = {1.0}, float half = {0.5}>
      { [d] a = Div(x, r) [e] b = Erf(a) [p] c = Add(b, one) [m] d = Mul(x, c) [h] y = Mul(d, half) })"),
                       "a100", "fp16");
  const auto* fusion = t.of<aegis_fusion>("e");
  REQUIRE(fusion);
  CHECK(fusion->kind == AEGIS_FUSION_CHAIN);
  CHECK(fusion->nodes.count == 5);
  CHECK(near(fusion->bytes.op / fusion->bytes.fused, 5.5));
  CHECK(fusion->kernels.op == 5);
  CHECK(fusion->kernels.fused == 1);
  CHECK(t.of<aegis_pattern>("e")->kind == AEGIS_PATTERN_GELU);
  CHECK(t.facts->groups(AEGIS_PATTERN_FUSION).size() == 1);
}

TEST_CASE("time is the slower of arithmetic and memory, and a launch") {
  const auto t = table(test::matmul(4096, 4096, 4096), "a100", "bf16");
  const auto* cost = t.of<aegis_cost>("fc");
  const double math = 2.0 * 4096 * 4096 * 4096 / (271.2e6);
  CHECK(near(cost->time_us.fused, math + 0.9));
  CHECK(cost->time_us.op > math + 3.3);
  CHECK(cost->percent.fused == 100);
  CHECK(cost->weight_bytes == 2.0 * 4096 * 4096);
  const auto* roof = t.of<aegis_roofline>("fc");
  CHECK(roof->bound_fused == AEGIS_BOUND_COMPUTE);
  CHECK(roof->m_min == 166);
  CHECK(roof->worth_padding == AEGIS_YES);

  const auto v = table(test::matmul(1, 4096, 4096), "a100", "bf16");
  CHECK(v.of<aegis_roofline>("fc")->bound_fused == AEGIS_BOUND_MEMORY);
  CHECK(near(v.of<aegis_cost>("fc")->time_us.fused, (2.0 * 4096 * 4096 + 4 * 4096) / (2039e3 * 0.9) + 0.9));
  CHECK(v.of<aegis_roofline>("w")->bound_fused == AEGIS_BOUND_FREE);  // folded before the run
}

TEST_CASE("the model's total is the sum of its nodes; a body counts as often as it runs") {
  const auto t = table(graph(R"(g (float[64,64] x) => (float[64,64] y)
      <int64 n = {100}, bool c = {1}, float[64,64] w = {0.0}>
      { [loop] y = Loop (n, c, x) <body = b (int64 i, bool ci, float[64,64] s) => (bool co, float[64,64] so)
          { [mm] h = MatMul(s, s) [act] so = Tanh(h) [id] co = Identity(ci) }> })"));
  CHECK(t.of<aegis_cost>("mm")->flops == 100 * 2.0 * 64 * 64 * 64);
  CHECK(t.of<aegis_cost>("loop")->flops == 100 * (2.0 * 64 * 64 * 64 + 64 * 64));
  CHECK(t.facts->get<aegis_cost>()->flops == 100 * (2.0 * 64 * 64 * 64 + 64 * 64));
  CHECK(t.facts->get<aegis_coverage>()->flops_percent == 100);
  CHECK(t.of<aegis_group_info>("mm")->runs == 100);

  const auto open = table(graph(R"(g (float[64,64] x, int64 n, bool c) => (float[64,64] y)
      { [loop] y = Loop (n, c, x) <body = b (int64 i, bool ci, float[64,64] s) => (bool co, float[64,64] so)
          { [mm] so = MatMul(s, s) [id] co = Identity(ci) }> })"));
  aegis_absence why = AEGIS_PRESENT;
  CHECK(open.of<aegis_cost>("mm", &why) == nullptr);
  CHECK(why == AEGIS_UNKNOWN_TRIPS);
  CHECK(open.facts->get<aegis_cost>()->unknown_nodes == 1);
}

TEST_CASE("of an If the larger branch counts") {
  const auto t = table(graph(R"(g (bool c, float[64,64] x) => (float[64,64] y)
      { [choose] y = If (c) <then_branch = a () => (float[64,64] t) { [big] t = MatMul(x, x) },
                              else_branch = b () => (float[64,64] e) { [small] e = Relu(x) }> })"));
  CHECK(t.facts->get<aegis_cost>()->flops == 2.0 * 64 * 64 * 64);
}

TEST_CASE("what is unknown is never zero") {
  const auto t =
      table(graph("g (float[b,4] x, float[4,8] w) => (float[b,8] y) { [fc] h = MatMul(x, w) [r] y = Relu(h) }"));
  aegis_absence why = AEGIS_PRESENT;
  CHECK(t.of<aegis_cost>("fc", &why) == nullptr);
  CHECK(why == AEGIS_UNKNOWN_DIM);
  CHECK(t.of<aegis_gemm>("fc")->m.dim.kind == AEGIS_DIM_SYMBOLIC);
  CHECK((t.of<aegis_roofline>("fc")->m_min) == 0);  // too small to be compute-bound at any M
  const auto* coverage = t.facts->get<aegis_coverage>();
  CHECK(coverage->nodes_unresolved == 2);
  REQUIRE(coverage->symbols.count == 1);
  const auto* waiting = static_cast<const aegis_waiting*>(coverage->symbols.data);
  CHECK(std::string_view(waiting->symbol.data, waiting->symbol.size) == "b");
  CHECK(waiting->nodes == 2);
  CHECK(std::isnan(coverage->flops_percent));

  const auto unknown_op = table(
      "<ir_version: 10, opset_import: [\"\" : 21, \"x.y\" : 1]>\ng (float[4] x) => (float[4] y) { [o] y = x.y.Odd(x) "
      "}");
  CHECK(unknown_op.of<aegis_cost>("o", &why) == nullptr);
  CHECK(why == AEGIS_UNKNOWN_OP);
}

TEST_CASE("query cost: the same node in another type or with another M") {
  const auto t = table(test::matmul(512, 4096, 4096), "a100", "fp32");
  const auto ask = [&](aegis_dtype compute, std::int64_t m) {
    aegis_cost_in in;
    in.compute = compute;
    in.place = {AEGIS_PLACE_NODE, static_cast<std::uint32_t>(t.node("fc"))};
    in.m = m;
    aegis_cost out{};
    out.struct_size = sizeof out;
    REQUIRE(t.facts->query(AEGIS_QUERY_COST, &in, &out) == AEGIS_OK);
    return out;
  };
  CHECK(ask(0, 0).time_us.fused == t.of<aegis_cost>("fc")->time_us.fused);
  CHECK(near(ask(AEGIS_DTYPE_BFLOAT16, 0).bytes.op, t.of<aegis_cost>("fc")->bytes.op / 2));
  CHECK(ask(AEGIS_DTYPE_TF32, 0).time_us.fused < ask(0, 0).time_us.fused / 5);
  CHECK(ask(0, 1024).flops == 2 * t.of<aegis_cost>("fc")->flops);
  CHECK(near(ask(0, 1).bytes.op, 4.0 * (4096 + 4096 * 4096 + 4096)));
}
