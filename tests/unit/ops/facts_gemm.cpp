// The product inside a node: its extents with their places, contiguous dims, alignment.
#include <catch2/catch_test_macros.hpp>

#include "table.hpp"

using namespace aegis;
using aegis::test::table;

namespace {

std::string graph(std::string_view body) { return "<ir_version: 10, opset_import: [\"\" : 21]>\n" + std::string(body); }
void extents(const aegis_gemm* g, std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k) {
  REQUIRE(g);
  CHECK(g->batch.dim.value == batch);
  CHECK(g->m.dim.value == m);
  CHECK(g->n.dim.value == n);
  CHECK(g->k.dim.value == k);
}

}  // namespace

TEST_CASE("leading dims fold into M when the right operand has rank 2") {
  const auto t = table(graph(R"(g (float[8,512,130] x) => (float[8,512,64] y) <float[130,64] w = {0.0}>
      { [fc] y = MatMul(x, w) })"),
                       "a100", "bf16");
  const auto* g = t.of<aegis_gemm>("fc");
  extents(g, 1, 4096, 64, 130);
  CHECK(g->m.axis == -1);
  CHECK(g->k.value.id == static_cast<std::uint32_t>(t.value("w")));
  CHECK(g->k.axis == 0);
  CHECK(g->n.axis == 1);
  CHECK(g->align == (AEGIS_K | AEGIS_N));
  CHECK(g->compute == AEGIS_DTYPE_BFLOAT16);
  CHECK((g->flags & AEGIS_GEMM_B_WEIGHT));
  CHECK((g->flags & AEGIS_GEMM_SIZED));
  const auto* a = t.of<aegis_align>("fc");
  CHECK(a->off_tier1 == AEGIS_K);
  CHECK(a->off_tier2 == AEGIS_K);
  CHECK(a->e_now == 0.52);
  CHECK(a->row_bytes == 128);
}

TEST_CASE("batches, transposes and vectors") {
  const auto t = table(graph(R"(g (float[2,3,16,32] a, float[3,32,48] b, float[40,16] c, float[40,24] d, float[32] v)
      => (float[2,3,16,48] y, float[16,24] z, float[2,3,16] u, float[2,3,16,16] s)
      { [batched] y = MatMul(a, b) [gemm] z = Gemm<transA = 1>(c, d) [vector] u = MatMul(a, v)
        at = Transpose<perm = [0,1,3,2]>(a) [folded] s = MatMul(a, at) })"));
  extents(t.of<aegis_gemm>("batched"), 6, 16, 48, 32);
  const auto* gemm = t.of<aegis_gemm>("gemm");
  extents(gemm, 1, 16, 24, 40);
  CHECK(gemm->align == (AEGIS_M | AEGIS_N));
  CHECK((gemm->flags & AEGIS_GEMM_TRANS_A));
  extents(t.of<aegis_gemm>("vector"), 1, 96, 1, 32);
  const auto* folded = t.of<aegis_gemm>("folded");
  extents(folded, 6, 16, 16, 32);
  CHECK((folded->flags & AEGIS_GEMM_TRANS_B));
  CHECK((folded->flags & AEGIS_GEMM_FOLDED_TRANSPOSE));
  CHECK(folded->b.id == static_cast<std::uint32_t>(t.value("a")));
  CHECK(t.of<aegis_fusion>("folded")->kind == AEGIS_FUSION_FOLDED);
}

TEST_CASE("Einsum as a product") {
  const auto t = table(graph(R"(g (float[8,512,130] x, float[130,1024] w, float[2,4,16,32] q, float[2,4,24,32] k)
      => (float[8,512,1024] y, float[2,4,16,24] s)
      { [ein] y = Einsum<equation = "bsd,dh->bsh">(x, w) [qk] s = Einsum<equation = "...qd, ...kd -> ...qk">(q, k) })"));
  extents(t.of<aegis_gemm>("ein"), 1, 4096, 1024, 130);
  CHECK(t.of<aegis_cost>("ein")->flops == 1090519040);
  CHECK(t.of<aegis_gemm>("ein")->align == (AEGIS_K | AEGIS_N));
  extents(t.of<aegis_gemm>("qk"), 8, 16, 24, 32);
  CHECK((t.of<aegis_gemm>("qk")->flags & AEGIS_GEMM_TRANS_B));
}

TEST_CASE("how FLOAT is computed depends on the view") {
  const auto compute = [](std::string_view target, std::string_view as, bool tf32) {
    return table(test::matmul(64, 64, 64), target, as, View{.tf32 = tf32}).of<aegis_gemm>("fc")->compute;
  };
  CHECK(compute("a100", "", true) == AEGIS_DTYPE_TF32);
  CHECK(compute("a100", "", false) == AEGIS_DTYPE_FLOAT);
  CHECK(compute("a100", "fp32", true) == AEGIS_DTYPE_FLOAT);
  CHECK(compute("a100", "tf32", false) == AEGIS_DTYPE_TF32);
  CHECK(compute("t4", "", true) == AEGIS_DTYPE_FLOAT);
  CHECK(compute("t4", "fp16", true) == AEGIS_DTYPE_FLOAT16);
  // No rate in that type: nothing is claimed.
  aegis_absence why = AEGIS_PRESENT;
  const auto t4 = table(test::matmul(64, 64, 64), "t4", "bf16");
  CHECK(t4.of<aegis_align>("fc", &why) == nullptr);
  CHECK(why == AEGIS_NO_RATE);
  const auto strict = table(test::matmul(64, 63, 64), "a100", "fp32");
  CHECK(strict.of<aegis_align>("fc")->kind == AEGIS_ALIGN_NONE);
  CHECK((strict.of<aegis_gemm>("fc")->flags & AEGIS_GEMM_STRICT_FP32));
}

TEST_CASE("unknown dims are said as unknown") {
  const auto t =
      table(graph("g (float[b,k] x, float[k,24] w) => (float[b,24] y) { [fc] y = MatMul(x, w) }"), "a100", "bf16");
  const auto* g = t.of<aegis_gemm>("fc");
  REQUIRE(g);
  CHECK((g->flags & AEGIS_GEMM_SIZED));
  const auto* a = t.of<aegis_align>("fc");
  CHECK(a->off_tier1 == 0);
  CHECK((a->maybe & AEGIS_K));
  CHECK(t.facts->dim(g->k.dim).divides(8) == Answer::unknown);
  CHECK(t.facts->dim(g->n.dim).divides(8) == Answer::yes);
  aegis_pad_in in;
  in.node = handle(t.node("fc"));
  in.dims = AEGIS_K;
  aegis_pad_out out;
  REQUIRE(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_OK);
  CHECK(out.padded == -1);
  CHECK(out.point != out.point);
  CHECK(out.confidence == AEGIS_CONFIDENCE_NONE);
}

TEST_CASE("convolution channels and recurrent sizes") {
  const auto t = table(graph(R"(g (float[8,20,32,32] x, float[44,20,3,3] w, float[8,64,32,32] z, float[64,16,3,3] v)
      => (float[8,44,30,30] y, float[8,64,30,30] u)
      { [plain] y = Conv<kernel_shape = [3,3]>(x, w) [grouped] u = Conv<kernel_shape = [3,3], group = 4>(z, v) })"),
                       "a100", "fp16");
  CHECK(t.of<aegis_align>("plain")->off_tier1 == (AEGIS_CI | AEGIS_CO));
  CHECK(t.of<aegis_align>("plain")->e_now == 1);
  CHECK(t.of<aegis_align>("plain")->e_low < 1);
  CHECK(t.of<aegis_align>("grouped")->off_tier1 == 0);
  CHECK(t.of<aegis_conv>("grouped")->ci.dim.value == 64);

  const auto q = table(graph(R"(g (float[8,24,16,16] x) => (float[8,40,14,14] y)
      <float s = {0.02}, int8 z = {0}, int8[40,24,3,3] wq = {0}>
      { a = QuantizeLinear(x, s, z) b = DequantizeLinear(a, s, z) w = DequantizeLinear(wq, s, z)
        [c] y = Conv<kernel_shape = [3,3]>(b, w) })"));
  CHECK(q.of<aegis_conv>("c")->compute == AEGIS_DTYPE_INT8);
  CHECK(q.of<aegis_align>("c")->off_tier1 == (AEGIS_CI | AEGIS_CO));
}

TEST_CASE("waves of a product") {
  const auto t = table(test::matmul(1793, 4096, 1793), "a100", "bf16");
  const auto* waves = t.of<aegis_waves>("fc");
  REQUIRE(waves);
  CHECK(waves->e_quant < 0.62);
  CHECK(waves->e_quant > 0.60);
  CHECK(table(test::matmul(1792, 4096, 1792), "a100", "bf16").of<aegis_waves>("fc")->e_quant > 0.90);
}
