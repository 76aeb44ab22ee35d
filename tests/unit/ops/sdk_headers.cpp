// The plugin line's headers: offsets that never move, and every compiler and standard that packs are written with.
#include <aegis/aegis.h>
#include <aegis/facts.h>
#include <aegis/requests.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <type_traits>

// Frozen for major version 1.
static_assert(sizeof(aegis_str) == 16 && sizeof(aegis_list) == 16 && sizeof(aegis_node) == 4);
static_assert(sizeof(aegis_place) == 8 && sizeof(aegis_use) == 8 && sizeof(aegis_dim) == 16);
static_assert(sizeof(aegis_extent) == 24 && sizeof(aegis_type) == 24 && sizeof(aegis_tensor) == 32);
static_assert(sizeof(aegis_span) == 24 && sizeof(aegis_interval) == 16 && sizeof(aegis_pair) == 16);
static_assert(offsetof(aegis_dim, expr) == 8 && offsetof(aegis_dim, kind) == 12 && offsetof(aegis_dim, origin) == 14);
static_assert(offsetof(aegis_extent, value) == 16 && offsetof(aegis_extent, axis) == 20);
static_assert(offsetof(aegis_list, count) == 8 && offsetof(aegis_list, stride) == 12);
// Append-only: the last field of 1.0 stays where it is.
static_assert(offsetof(aegis_api, model) == 8 && offsetof(aegis_api, fact) == 8 + 19 * sizeof(void*));
static_assert(offsetof(aegis_api, get_extension) == 8 + 31 * sizeof(void*));
static_assert(offsetof(aegis_rule, code) == 8 && offsetof(aegis_rule, unit) == 16 && offsetof(aegis_rule, check) == 96);
static_assert(offsetof(aegis_rule, good) == 128 && sizeof(aegis_rule) == 144);
static_assert(offsetof(aegis_pack, rules) == 48 && offsetof(aegis_pack, stop) == 72);
static_assert(offsetof(aegis_unit, members) == 16 && offsetof(aegis_example, text) == 48);
static_assert(offsetof(aegis_gemm, m) == 8 && offsetof(aegis_gemm, compute) == 120 &&
              offsetof(aegis_gemm, block) == 152);
static_assert(offsetof(aegis_cost, bytes) == 32 && offsetof(aegis_cost, percent) == 96);
static_assert(offsetof(aegis_pad_dim, dim) == 8 && offsetof(aegis_pad_dim, multiple) == 32);
static_assert(AEGIS_NONE == 0xffffffffu);
static_assert(std::is_standard_layout_v<aegis_api> && std::is_trivially_copyable_v<aegis_pack>);

namespace {

constexpr auto source = R"(#include <aegis/aegis.h>
#include <aegis/facts.h>
#include <aegis/requests.h>
static aegis_status check(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) {
  aegis_place place;
  const aegis_gemm* gemm;
  place.kind = AEGIS_PLACE_NODE;
  place.id = unit->node.id;
  gemm = (const aegis_gemm*)api->fact(cx, AEGIS_FACT_GEMM, place, 0);
  if (!gemm || !AEGIS_HAS(gemm, aegis_gemm, block)) return AEGIS_OK;
  return gemm->flags & AEGIS_GEMM_SIZED ? AEGIS_OK : AEGIS_FAILED;
}
const aegis_rule* rule(void);
const aegis_rule* rule(void) {
  static aegis_rule made;
  made.check = check;
  return &made;
}
)";

bool available(const std::string& compiler) {
  return std::system(("command -v " + compiler + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace

TEST_CASE("the headers compile without a warning in every dialect") {
  const auto folder = std::filesystem::temp_directory_path() / ("aegis_sdk_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"pack.c", "pack.cpp"}) std::ofstream(folder / name) << source;
  int tried = 0;
  const auto compile = [&](const std::string& compiler, const std::string& standard, const std::string& file,
                           const std::string& more) {
    if (!available(compiler)) return;
    ++tried;
    const std::string line = compiler + " -std=" + standard +
                             " -fsyntax-only -pedantic -Wall -Wextra -Wconversion -Werror " + more +
                             " -I" AEGIS_SOURCE_DIR "/plugins/sdk " + (folder / file).string();
    INFO(line);
    CHECK(std::system(line.c_str()) == 0);
  };
  for (const char* standard : {"c11", "c17"}) {
    compile("gcc", standard, "pack.c", "-Wpadded");
    compile("clang-19", standard, "pack.c", "");
  }
  for (const char* standard : {"c++17", "c++20"}) {
    compile("g++", standard, "pack.cpp", "-Wpadded");
    compile("clang++-19", standard, "pack.cpp", "");
  }
  std::filesystem::remove_all(folder);
  CHECK(tried > 0);
}

TEST_CASE("a field past the other side's size is not there") {
  aegis_pad_out old;
  old.struct_size = offsetof(aegis_pad_out, flops_percent);
  const aegis_pad_out* out = &old;
  CHECK(AEGIS_HAS(out, aegis_pad_out, high));
  CHECK_FALSE(AEGIS_HAS(out, aegis_pad_out, flops_percent));
}
