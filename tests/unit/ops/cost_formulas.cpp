// The time model's own numbers: waves, smallest compute-bound M, the alignment curve and published measurements.
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "ops/cost/formulas.hpp"
#include "table.hpp"

using namespace aegis;

namespace {

Target target(std::string_view name) { return *DeviceTable::builtin()->find(name); }

}  // namespace

TEST_CASE("smallest compute-bound M at N = K = 4096 in BF16") {
  const auto m = [](const char* device) {
    return smallest_compute_bound_m(4096, 4096, target(device).rate(AEGIS_DTYPE_BFLOAT16)->ridge, 2).value();
  };
  CHECK(m("a100_sxm_80") == 166);
  CHECK(m("h200_sxm") == 230);
  CHECK(m("b200") == 343);
  CHECK(m("h100_sxm") == 345);
  CHECK(m("l4") == 503);
  CHECK_FALSE(smallest_compute_bound_m(128, 128, 153, 2));
}

TEST_CASE("tiles of 256 x 128 on 108 multiprocessors") {
  Target a100 = target("a100");
  a100.tiles = {{256, 128}};
  const auto first = count_waves(1, 1792, 1792, a100);
  CHECK(first.tiles == 98);
  CHECK(first.waves == 1);
  CHECK(std::round(first.e_quant * 100) == 91);
  const auto second = count_waves(1, 1793, 1793, a100);
  CHECK(second.tiles == 120);
  CHECK(second.waves == 2);
  CHECK(std::round(second.e_quant * 100) == 45);
  const auto third = count_waves(1, 2304, 1537, a100);
  CHECK(third.tiles == 117);
  CHECK(third.waves == 2);
  CHECK(std::round(third.e_quant * 100) == 50);
}

TEST_CASE("the best of three tiles decides") {
  const Target a100 = target("a100");
  CHECK(std::round(count_waves(1, 1793, 1793, a100).e_quant * 100) == 61);
  CHECK(std::round(count_waves(1, 1792, 1792, a100).e_quant * 100) == 91);
}

TEST_CASE("the alignment curve by the bytes that divide a row") {
  CHECK(alignment_efficiency(4097, 2, 80) == 0.33);
  CHECK(alignment_efficiency(4098, 2, 80) == 0.52);
  CHECK(alignment_efficiency(4100, 2, 80) == 0.66);
  CHECK(alignment_efficiency(4104, 2, 80) == 0.84);
  CHECK(alignment_efficiency(4112, 2, 80) == 0.96);
  CHECK(alignment_efficiency(4128, 2, 80) == 1);
  CHECK(alignment_efficiency(4097, 2, 90) == 0.50);
  CHECK(alignment_efficiency(4104, 2, 90) == 0.95);
  CHECK(alignment_efficiency(4112, 2, 90) == 0.98);
  CHECK(alignment_efficiency(4097, 4, 80) == 0.52);
  CHECK(pessimistic_efficiency(4097, 2, 90) == 0.15);
  CHECK(pessimistic_efficiency(4104, 2, 80) == 0.9 * 0.84);
}

namespace {

struct Anchor {
  const char *id, *target;
  std::int64_t m, n, k;
  std::uint32_t dims;
  std::int64_t multiple;
  double ratio, tolerance_percent;
};

// Published timings of single products, before and after padding.
// A: stas00/ml-engineering, training/performance (batch of 4 left out: the ratio does not depend on it).
// B: thonking.ai, "What Shapes Do Matrix Multiplications Like?" (read off a chart). C.head: karpathy/nanoGPT, the LM
// head, "about 3x". I: pytorch/pytorch#196992.
constexpr std::uint32_t all = AEGIS_M | AEGIS_N | AEGIS_K;
constexpr Anchor anchors[] = {
    {"A", "h100_sxm", 4096, 4096, 10922, AEGIS_K, 64, 1.46, 0},
    {"B1.1", "a100_sxm_80", 2047, 2047, 2047, all, 32, 3.27, 10},
    {"B1.2", "a100_sxm_80", 2046, 2046, 2046, all, 32, 2.14, 10},
    {"B1.3", "a100_sxm_80", 2040, 2040, 2040, all, 32, 1.27, 10},
    {"B1.4", "a100_sxm_80", 2032, 2032, 2032, all, 32, 1.04, 10},
    {"B2.1", "a100_sxm_80", 4095, 4095, 4095, all, 32, 2.88, 10},
    {"B2.2", "a100_sxm_80", 4094, 4094, 4094, all, 32, 1.77, 10},
    {"B2.3", "a100_sxm_80", 4088, 4088, 4088, all, 32, 1.13, 10},
    {"B2.4", "a100_sxm_80", 4080, 4080, 4080, all, 32, 1.04, 10},
    {"C.head", "a100_sxm_80", 8192, 50257, 768, AEGIS_N, 64, 3.0, 10},
    {"I", "b200", 1157, 1157, 4096, AEGIS_N, 8, 1.62, 0},
};

}  // namespace

TEST_CASE("the predicted range holds the published gains") {
  for (const Anchor& a : anchors) {
    INFO(a.id);
    const auto t = test::table(test::matmul(a.m, a.k, a.n), a.target, "fp16");
    aegis_pad_in in;
    in.node = handle(t.node("fc"));
    in.dims = a.dims;
    in.multiple = a.multiple;
    aegis_pad_out out;
    REQUIRE(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_OK);
    INFO("predicted " << out.low << " .. " << out.point << " .. " << out.high << ", published " << a.ratio);
    CHECK(out.point > 1);
    CHECK(out.low * (1 - a.tolerance_percent / 100) <= a.ratio);
    CHECK(out.high * (1 + a.tolerance_percent / 100) >= a.ratio);
  }
}

TEST_CASE("point gains: 3.0 for the head of a GPT, 2.0 for an odd K on Hopper") {
  const auto gain = [](const char* device, std::int64_t m, std::int64_t k, std::int64_t n, std::uint32_t dims) {
    const auto t = test::table(test::matmul(m, k, n), device, "bf16");
    aegis_pad_in in;
    in.node = handle(t.node("fc"));
    in.dims = dims;
    in.multiple = 64;
    aegis_pad_out out;
    REQUIRE(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_OK);
    return out;
  };
  const auto head = gain("a100", 8192, 768, 50257, AEGIS_N);
  CHECK(std::round(head.point * 10) == 30);
  CHECK(head.padded == 50304);
  CHECK(head.confidence == AEGIS_CONFIDENCE_LOW);  // K and N are off the chart
  CHECK(std::round(gain("h100", 4096, 10922, 4096, AEGIS_K).point * 10) == 20);
  // Memory bound: nothing to win.
  CHECK(gain("h100", 1, 4095, 4096, AEGIS_K).point < 1.01);
}

TEST_CASE("the best multiple is the smallest within three per cent") {
  const auto t = test::table(test::matmul(4096, 4104, 4104), "a100", "fp16");
  aegis_pad_in in;
  in.node = handle(t.node("fc"));
  in.dims = AEGIS_N | AEGIS_K;
  in.best = 1;
  aegis_pad_out out;
  REQUIRE(t.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_OK);
  CHECK(out.e_now == 0.84);
  CHECK(out.multiple > 8);
  CHECK(out.point >= 1.05);
  CHECK(out.confidence == AEGIS_CONFIDENCE_MEDIUM);

  const auto good = test::table(test::matmul(4096, 4112, 4112), "a100", "fp16");
  in.node = handle(good.node("fc"));
  REQUIRE(good.facts->query(AEGIS_QUERY_PAD, &in, &out) == AEGIS_OK);
  CHECK(out.point < 1.05);
}
