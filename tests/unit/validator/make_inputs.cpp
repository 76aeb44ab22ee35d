#include "validator/inputs/make_inputs.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "model/load.hpp"
#include "validator/inputs/rng.hpp"

namespace aegis {
namespace {

using Catch::Approx;

struct Made {
  Model model;
  FeedSets sets;
  std::vector<double> of(std::size_t set, const std::string& name) const {
    return *to_doubles(sets.feeds(set).at(name));
  }
  std::string source(const std::string& name) const {
    return std::ranges::find(sets.used, name, &InputUsed::name)->source;
  }
};

Made make(std::string_view graph, MakeOptions options = {}) {
  auto model = parse_text(graph);
  REQUIRE(model);
  const TypeTable types = infer(*model, Binding{.symbols = {}, .shapes = {}, .assume = true});
  const auto specs = input_specs(*model, types);
  REQUIRE(specs);
  auto sets = make_inputs(*model, types, *specs, options);
  REQUIRE(sets);
  return {.model = *std::move(model), .sets = *std::move(sets)};
}

TEST_CASE("the stream gives the same numbers whenever it is asked, and others by another name") {
  const Stream a(7, "x"), b(7, "y"), c(8, "x");
  CHECK(a.bits(3) == Stream(7, "x").bits(3));
  CHECK(a.bits(3) != b.bits(3));
  CHECK(a.bits(3) != c.bits(3));
  CHECK(Stream(0, "x").bits(0) == 0x5bc0edcb8475dca7u);
}

TEST_CASE("normal numbers have mean 0 and variance 1, uniform ones fill their range") {
  const Stream s(1, "x");
  double sum = 0, squares = 0, low = 1, high = 0;
  constexpr int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = s.normal(static_cast<std::uint64_t>(i)), u = s.uniform(static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
    low = std::min(low, u);
    high = std::max(high, u);
  }
  CHECK(sum / n == Approx(0).margin(0.02));
  CHECK(squares / n == Approx(1).margin(0.02));
  CHECK(low >= 0);
  CHECK(low < 1e-3);
  CHECK(high < 1);
  CHECK(high > 0.999);
}

TEST_CASE("inputs do not depend on the order in which the graph lists them") {
  const Made ab = make("g (float[2,3] a, float[2,3] b) => (float[2,3] y) { y = Add(a, b) }");
  const Made ba = make("g (float[2,3] b, float[2,3] a) => (float[2,3] y) { y = Add(a, b) }");
  for (std::size_t set = 0; set < 8; ++set) {
    CHECK(ab.of(set, "a") == ba.of(set, "a"));
    CHECK(ab.of(set, "b") == ba.of(set, "b"));
  }
  CHECK(ab.of(0, "a") != ab.of(0, "b"));
  CHECK(ab.of(0, "a") != ab.of(1, "a"));
}

TEST_CASE("eight sets: five ordinary, one scaled, masks ragged and with a fully masked row") {
  const Made m =
      make(R"(g (float[3,8] x, float[3,8] attention_mask) => (float[3,8] y) { y = Mul(x, attention_mask) })");
  REQUIRE(m.sets.sets.size() == 8);
  CHECK(m.sets.sets[5].label == "5 (scaled by 8)");
  CHECK(m.sets.sets[6].label == "6 (ragged masks)");
  CHECK(m.sets.sets[7].label == "7 (a fully masked row)");
  double widest = 0;
  for (const double x : m.of(5, "x")) widest = std::max(widest, std::fabs(x));
  CHECK(widest > 6);  // beyond what an unscaled draw can be
  for (std::size_t set = 0; set < 8; ++set) {
    const auto mask = m.of(set, "attention_mask");
    for (std::size_t row = 0; row < 3; ++row) {
      const auto begin = mask.begin() + static_cast<std::ptrdiff_t>(row * 8);
      CHECK(std::is_sorted(begin, begin + 8, std::greater<>()));
      CHECK((*begin == 1 || (set == 7 && row == 0)));
    }
  }
  const auto last = m.of(7, "attention_mask");
  CHECK(std::count(last.begin(), last.begin() + 8, 0.0) == 8);
  CHECK(std::count(last.begin() + 8, last.end(), 1.0) == 16);
}

TEST_CASE("indices stay below the extent that they index") {
  const Made m = make(R"(
    <ir_version: 10, opset_import: ["" : 21]>
    g (int64[2,5] input_ids, int64[2,5] types) => (float[2,5,2] y)
      <float[11,2] words = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21}, float[2,2] kinds = {0,1,2,3}, int64 one = {1}> {
      a = Gather(words, input_ids)
      shifted = Sub(types, one)
      small = Cast<to = 6>(shifted)
      b = Gather(kinds, small)
      y = Add(a, b)
    })");
  std::set<double> seen;
  for (std::size_t set = 0; set < 8; ++set) {
    for (const double v : m.of(set, "input_ids")) {
      CHECK(v >= 0);
      CHECK(v < 11);
      seen.insert(v);
    }
    for (const double v : m.of(set, "types")) {
      CHECK(v >= 1);
      CHECK(v < 3);
    }
  }
  CHECK(seen.size() == 11);
  CHECK(m.source("input_ids").find("[0, 11) (Gather at") != std::string::npos);
}

TEST_CASE("a value that is compared with constants is one of them") {
  const Made m = make(R"(g (int64 rate) => (bool y) <int64 a = {8000}, int64 b = {16000}> {
    is_a = Equal(rate, a)
    is_b = Equal(rate, b)
    y = Or(is_a, is_b)
  })");
  for (std::size_t set = 0; set < 8; ++set) {
    const double v = m.of(set, "rate").front();
    CHECK((v == 8000 || v == 16000));
  }
}

TEST_CASE("names and shapes decide when the graph does not") {
  const Made m = make(R"(g (float[1,3,16,16] images, float[1,2,4] past_key, int64[2,6] position_ids, float[1] timestep,
      int64 sr, bool[7] flag, float[1,8000] audio, uint8[1,4,4,3] pixels, int32[4] number) => (float[1,3,16,16] y)
      { y = Identity(images) })");
  for (const double v : m.of(1, "images")) CHECK((v >= 0 && v <= 1));
  CHECK(m.of(0, "past_key") == std::vector<double>(8, 0));
  CHECK(m.of(1, "past_key") != std::vector<double>(8, 0));
  CHECK(m.of(0, "position_ids") == std::vector<double>{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  CHECK((m.of(0, "timestep")[0] >= 0 && m.of(0, "timestep")[0] <= 999));
  CHECK(m.of(0, "sr")[0] == 16000);
  for (const double v : m.of(0, "flag")) CHECK((v == 0 || v == 1));
  CHECK(m.source("audio").find("sines") != std::string::npos);
  const auto pixels = m.of(0, "pixels");
  CHECK(*std::ranges::max_element(pixels) > 100);
  CHECK(m.source("number") == "integers in [0, 100)");
}

TEST_CASE("an image that is divided by 255 lies in 0..255") {
  const Made m =
      make(R"(g (float[1,3,16,16] x) => (float[1,3,16,16] y) <float scale = {255.0}> { y = Div(x, scale) })");
  const auto x = m.of(0, "x");
  CHECK(*std::ranges::max_element(x) > 150);
  CHECK(*std::ranges::max_element(x) <= 255);
}

TEST_CASE("a declared range beats everything and is never scaled") {
  const Made m = make("g (float[64] mask, int32[64] k) => (float[64] y) { y = Identity(mask) }",
                      {.sets = 8, .seed = 0, .ranges = {{"ma*", {2, 3}}, {"k", {5, 6}}}});
  for (std::size_t set = 0; set < 8; ++set) {
    for (const double v : m.of(set, "mask")) CHECK((v >= 2 && v <= 3));
    for (const double v : m.of(set, "k")) CHECK((v == 5 || v == 6));
  }
}

TEST_CASE("16-bit inputs are f32 draws, rounded") {
  const Made wide = make("g (float[16] x) => (float[16] y) { y = Identity(x) }");
  const Made narrow = make("g (bfloat16[16] x) => (bfloat16[16] y) { y = Identity(x) }");
  const Tensor rounded = from_doubles(DType::bf16, {16}, wide.of(0, "x"));
  CHECK(*rounded.data == *narrow.sets.feeds(0).at("x").data);
}

TEST_CASE("symbolic extents get the assumed numbers") {
  const Made m = make("g (float[batch,seq,4] x) => (float[batch,seq,4] y) { y = Relu(x) }");
  CHECK(m.sets.used[0].shape[0] == 1);
  CHECK(m.sets.used[0].shape[1] > 1);
}

TEST_CASE("an input without a known rank is refused with advice") {
  auto model = parse_text("g (float[] x) => (float[] y) { y = Relu(x) }");
  REQUIRE(model);
  const TypeTable types = infer(*model, Binding{});
  InputSpec spec{.name = "x", .id = model->main().inputs[0], .dtype = DType::f32, .dims = {}, .required = true};
  if (!types.of(spec.id).ranked()) {
    const auto sets = make_inputs(*model, types, std::vector{spec}, {});
    REQUIRE_FALSE(sets);
    CHECK(sets.error().message.find("--inputs") != std::string::npos);
  }
}

}  // namespace
}  // namespace aegis
