// The device table recomputed from its own numbers, and the alignment that a target asks for.
#include "ops/target.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

using namespace aegis;

namespace {

DeviceTable builtin() {
  auto table = DeviceTable::builtin();
  REQUIRE(table);
  return *std::move(table);
}

toml::table source() { return toml::parse_file(AEGIS_SOURCE_DIR "/ops/data/devices.toml"); }

bool near(double a, double b, double percent) { return std::abs(a - b) <= percent / 100 * std::abs(b); }

}  // namespace

TEST_CASE("the device table agrees with its own arithmetic") {
  const toml::table root = source();
  for (const auto& entry : *root["device"].as_array()) {
    const auto& row = *entry.as_table();
    const auto text = [&](const char* key) { return row[key].value<std::string>().value_or(""); };
    const auto number = [&](const char* key) { return row[key].value<double>().value_or(0); };
    const std::string id = text("id"), cc = text("compute_capability");
    INFO(id);
    const auto peak = [&](const char* type) { return row["tflops"][type].value<double>(); };
    const double tensor_mhz = row["tensor_mhz"].value<double>().value_or(number("boost_mhz"));
    for (const auto& [type, tflops] : *row["tflops"].as_table()) {
      INFO(type.str());
      CHECK(std::abs(*row["ridge"][type.str()].value<double>() -
                     *tflops.value<double>() * 1000 / number("mem_bw_gbs")) < 0.1 + 1e-9);
    }
    const double fp16 = number("sm_count") * number("fp16_fma_per_sm_clk") * 2 * tensor_mhz / 1e6;
    CHECK(near(*peak("fp16"), fp16, id == "gb200" ? 4.3 : 1.3));
    const double cores = cc == "7.0" || cc == "7.5" || cc == "8.0" ? 64 : 128;
    CHECK(near(*peak("fp32"), number("sm_count") * cores * 2 * number("boost_mhz") / 1e6, 1));
    if (peak("bf16")) CHECK(*peak("bf16") == *peak("fp16"));
    if (peak("tf32")) CHECK(near(*peak("tf32"), *peak("fp16") / 2, 1.5));
    if (const auto* measured = row["measured"].as_table())
      for (const auto& [type, value] : *measured)
        CHECK(*value.value<double>() <= *row["tflops"][type.str()].value<double>());
  }
}

TEST_CASE("targets are found by id, alias and driver name") {
  const auto table = builtin();
  CHECK(table.devices().size() >= 17);
  CHECK(table.find("a100")->id == "a100_sxm_80");
  CHECK(table.find("A100-SXM-40")->id == "a100_sxm_40");
  CHECK(table.find("h100")->id == "h100_sxm");
  for (const auto& [alias, id] : table.aliases()) {
    INFO(alias);
    CHECK(table.find(alias)->id == id);
  }
  CHECK(table.by_device_name("NVIDIA A10", 72)->id == "a10");
  CHECK(table.by_device_name("NVIDIA A100-SXM4-80GB", 108)->id == "a100_sxm_80");
  CHECK(table.by_device_name("NVIDIA A1", 72) == nullptr);
  CHECK(table.by_device_name("Orin", 8) == nullptr);

  const auto wrong = table.find("a100_sxm_8O");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().fault == Fault::usage);
  CHECK(wrong.error().message.find("did you mean a100_sxm_80") != std::string::npos);
  CHECK(table.find("h1O0").error().message.find("did you mean h100") != std::string::npos);
  CHECK_FALSE(table.find(""));
}

TEST_CASE("a target's numbers have the units that they say") {
  const auto table = builtin();
  const Target a100 = *table.find("a100");
  CHECK(a100.cc == 80);
  CHECK(a100.sm_count == 108);
  CHECK(a100.l2_bytes == 40.0 * 1024 * 1024);
  CHECK(a100.mem_bytes == 80e9);
  CHECK(a100.tiles.size() == 3);
  CHECK(a100.launch_us_stream == 3.3);
  REQUIRE(a100.rate(AEGIS_DTYPE_BFLOAT16));
  CHECK(near(a100.rate(AEGIS_DTYPE_BFLOAT16)->ceiling, 271.2 / 312, 0.001));
  CHECK(a100.rate(AEGIS_DTYPE_BFLOAT16)->measured);
  CHECK(a100.rate(AEGIS_DTYPE_FLOAT16)->ceiling == 0.80);
  CHECK(a100.rate(AEGIS_DTYPE_BFLOAT16)->ridge == 153.0);
  CHECK(a100.rate(AEGIS_DTYPE_FLOAT8E4M3FN) == nullptr);
  CHECK(a100.rate(AEGIS_DTYPE_DOUBLE) == nullptr);
  const Target h100 = *table.find("h100");
  CHECK(h100.rate(AEGIS_DTYPE_FLOAT8E5M2)->tflops == 1978.9);
  CHECK(h100.rate(AEGIS_DTYPE_MXFP8)->tflops == 1978.9);
  CHECK(table.find("rtx5090")->cc == 120);
  CHECK(table.find("t4")->rate(AEGIS_DTYPE_BFLOAT16) == nullptr);
}

TEST_CASE("alignment in elements by type and generation") {
  const auto table = builtin();
  const Target a100 = *table.find("a100"), t4 = *table.find("t4"), h100 = *table.find("h100");
  const auto check = [](const Alignment& a, std::uint32_t kind, std::int64_t tier1, std::int64_t tier2) {
    CHECK(a.kind == kind);
    CHECK(a.tier1 == tier1);
    CHECK(a.tier2 == tier2);
  };
  check(a100.alignment(AEGIS_DTYPE_DOUBLE), AEGIS_ALIGN_SOFT, 2, 16);
  check(a100.alignment(AEGIS_DTYPE_TF32), AEGIS_ALIGN_SOFT, 4, 32);
  check(a100.alignment(AEGIS_DTYPE_FLOAT), AEGIS_ALIGN_NONE, 1, 1);
  check(a100.alignment(AEGIS_DTYPE_BFLOAT16), AEGIS_ALIGN_SOFT, 8, 64);
  check(a100.alignment(AEGIS_DTYPE_INT8), AEGIS_ALIGN_SOFT, 16, 128);
  check(t4.alignment(AEGIS_DTYPE_FLOAT16), AEGIS_ALIGN_SOFT, 8, 8);
  check(h100.alignment(AEGIS_DTYPE_FLOAT8E4M3FN), AEGIS_ALIGN_HARD, 16, 128);
  check(h100.alignment(AEGIS_DTYPE_MXFP8), AEGIS_ALIGN_HARD, 32, 32);
  check(h100.alignment(AEGIS_DTYPE_FP8_BLOCK128), AEGIS_ALIGN_HARD, 128, 128);
  check(h100.alignment(AEGIS_DTYPE_NVFP4), AEGIS_ALIGN_HARD, 32, 32);
  CHECK(a100.alignment(AEGIS_DTYPE_FLOAT16).sparse == 16);
  CHECK(a100.alignment(AEGIS_DTYPE_INT8).sparse == 32);
}

TEST_CASE("a device table that is wrong says where and what to do") {
  CHECK(
      DeviceTable::read("schema = 1\n[[device]]\nid = \"x\"\n", "d.toml").error().message.find("compute_capability") !=
      std::string::npos);
  CHECK(DeviceTable::read("schema = 2\n", "d.toml").error().message.find("schema") != std::string::npos);
  CHECK(DeviceTable::read("schema = 1\n", "d.toml").error().where == "d.toml");
  const auto broken = DeviceTable::read("schema = 1\n[[device\n", "d.toml");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message.find("line 2") != std::string::npos);
  const auto own = DeviceTable::read(
      "schema = 1\n[model]\ngemm_ceiling = { value = 0.5 }\n[[device]]\nid = \"mine\"\ncompute_capability = \"9.0\"\n"
      "sm_count = 10\nmem_bw_gbs = 100.0\ntflops = { fp16 = 10.0 }\n",
      "d.toml");
  REQUIRE(own);
  CHECK(own->devices()[0].rate(AEGIS_DTYPE_FLOAT16)->ridge == 100.0);
  CHECK(own->devices()[0].rate(AEGIS_DTYPE_FLOAT16)->ceiling == 0.5);
}

TEST_CASE("names of types go both ways") {
  for (const char* word : {"fp32", "tf32", "fp16", "bf16", "int8", "fp8", "fp64"}) {
    INFO(word);
    CHECK(compute_name(compute_from_name(word).value()) == word);
  }
  CHECK_FALSE(compute_from_name("float"));
  CHECK(storage_bytes(AEGIS_DTYPE_TF32) == 4);
  CHECK(storage_bytes(AEGIS_DTYPE_NVFP4) == 0.5);
}
