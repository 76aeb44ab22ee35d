// Operators that run by the body ONNX gives them, and the unrolled recurrent ones.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "exec/run.hpp"
#include "model/load.hpp"

using namespace aegis;

namespace {

Model parsed(std::string_view text) {
  auto model = parse_text(text);
  if (!model) FAIL(model.error().message);
  return *model;
}
std::vector<double> first(const Session& session, const Feeds& feeds) {
  const auto result = session.run(feeds);
  if (!result) FAIL(result.error().message);
  const auto values = to_doubles(result->outputs[0]);
  REQUIRE(values);
  return *values;
}
Session prepared(const Model& model) {
  auto session = Session::prepare(model, {});
  if (!session) FAIL(session.error().message);
  return *std::move(session);
}
Tensor floats(std::vector<std::int64_t> dims, std::vector<double> values) {
  return from_doubles(DType::f32, std::move(dims), values);
}

const char* const loss = R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[n, c] x, int64[n] target) => (float y) { y = NegativeLogLikelihoodLoss(x, target) })";

}  // namespace

TEST_CASE("an operator without a lowering runs by its body, for one shape after the other") {
  const Model model = parsed(loss);
  CHECK(unsupported(model).empty());
  const Session session = prepared(model);
  const Feeds three{{"x", floats({3, 2}, {1, 2, 3, 4, 5, 6})},
                    {"target", from_integers({3}, std::vector<std::int64_t>{0, 1, 0})}};
  const Feeds one{{"x", floats({1, 3}, {1, 2, 8})}, {"target", from_integers({1}, std::vector<std::int64_t>{2})}};
  CHECK(first(session, three) == std::vector<double>{-(1.0f + 4.0f + 5.0f) / 3.0f});
  CHECK(first(session, one) == std::vector<double>{-8});
  CHECK(first(session, three) == std::vector<double>{-(1.0f + 4.0f + 5.0f) / 3.0f});
}

TEST_CASE("a body reads the attributes of its node, and their defaults") {
  const auto window = [](const char* attributes) {
    return first(prepared(parsed(std::string(R"(
<ir_version: 8, opset_import: ["" : 17]>
net () => (float[k] y) <int64 size = {4}> { y = HannWindow )") +
                                 attributes + " (size) }")),
                 {});
  };
  const auto periodic = window(""), symmetric = window("<periodic = 0>");
  REQUIRE(periodic.size() == 4);
  CHECK(periodic[1] == Catch::Approx(0.5));
  CHECK(periodic[2] == Catch::Approx(1));
  REQUIRE(symmetric.size() == 4);
  CHECK(symmetric[1] == Catch::Approx(0.75));
  CHECK(symmetric[2] == Catch::Approx(0.75));
}

TEST_CASE("what a body holds counts against the memory of the run") {
  const Model model = parsed(loss);
  const Feeds feeds{{"x", Tensor::zeros(DType::f32, {64, 64})}, {"target", Tensor::zeros(DType::i64, {64})}};
  const auto result = run(model, feeds, {.max_bytes = 64});
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("the limit is 64") != std::string::npos);
}

TEST_CASE("a reversed recurrence over sequences of given lengths is the forward one over the reversed prefixes") {
  for (const auto& [op, gates] : {std::pair<std::string, int>{"RNN", 1}, {"GRU", 3}, {"LSTM", 4}}) {
    INFO(op);
    const auto net = [&](const std::string& direction, const std::string& lengths) {
      const std::string rows = std::to_string(gates);
      return parsed("<ir_version: 8, opset_import: [\"\" : 17]>\nnet (float[3, 1, 2] x, float[1, " + rows +
                    ", 2] w, float[1, " + rows + ", 1] r) => (float[t, 1, 1, 1] y)\n<int32[1] lengths = {" + lengths +
                    "}> { y = " + op + " <hidden_size = 1, direction = \"" + direction + "\"> (x, w, r, , lengths) }");
    };
    std::vector<double> w, r;
    for (int g = 0; g < gates; ++g) {
      w.insert(w.end(), {0.5 - 0.2 * g, 0.3 + 0.1 * g});
      r.push_back(0.7 - 0.3 * g);
    }
    const Feeds weights{{"w", floats({1, gates, 2}, w)}, {"r", floats({1, gates, 1}, r)}};
    Feeds given = weights, turned = weights;
    given["x"] = floats({3, 1, 2}, {1, 2, 3, 4, 50, 60});  // the last step lies past the length
    turned["x"] = floats({3, 1, 2}, {3, 4, 1, 2, 70, 80});
    const auto backward = first(prepared(net("reverse", "2")), given),
               forward = first(prepared(net("forward", "2")), turned);
    CHECK(backward == std::vector<double>{forward[1], forward[0], 0});
    CHECK(forward[2] == 0);
    CHECK(forward[0] != 0);
  }
}
