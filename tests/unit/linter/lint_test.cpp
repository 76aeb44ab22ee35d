// Lint from end to end over small models: folding, suppression, baseline, views, order.
#include "linter/lint.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "model/load.hpp"

using namespace aegis;

namespace {

// Two equal products and one of another width, all off their multiple.
constexpr const char* three_products = R"(
g (float16[2048,1024] x, float16[1024,4097] a, float16[4097,1024] b) => (float16[2048,1024] y) {
  [first] h = MatMul(x, a)
  [second] i = MatMul(h, b)
  [third] j = MatMul(i, a)
  [fourth] y = MatMul(j, b)
})";

Target target(const char* name) {
  auto devices = DeviceTable::builtin();
  REQUIRE(devices);
  auto found = devices->find(name);
  REQUIRE(found);
  return *std::move(found);
}

LintResult lint_text(const char* text, LintOptions options, const char* device = "a100_sxm_80") {
  const auto model = parse_text(text);
  if (!model) FAIL(model.error().message);
  const Target on = target(device);
  if (options.targets.empty()) options.targets = {&on};
  Binding binding;
  binding.assume = true;
  auto result = lint(*model, binding, options);
  if (!result) FAIL(result.error().message);
  return *std::move(result);
}

const Finding* find(const LintResult& result, std::string_view code) {
  const auto at = std::ranges::find(result.findings, code, &Finding::code);
  return at == result.findings.end() ? nullptr : &*at;
}

std::ptrdiff_t count(const LintResult& result, std::string_view code) {
  return std::ranges::count(result.findings, code, &Finding::code);
}

LintOptions only(std::string code) {
  LintOptions options;
  options.select = {std::move(code)};
  return options;
}

const EvidenceValue* evidence(const Finding& finding, std::string_view key) {
  const auto at = std::ranges::find(finding.evidence, key, &Evidence::key);
  return at == finding.evidence.end() ? nullptr : &at->values.front().second;
}

std::string words(const LintResult& result) {
  std::string out;
  for (const Finding& f : result.findings) {
    out += f.code + "|" + std::string(name(f.severity)) + "|" + f.anchor.scope + "|" + f.anchor.node + "|" + f.message +
           "|" + f.fingerprint + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("a finding names its place, its numbers with units, and its fix") {
  const LintResult result = lint_text(three_products, only("AL102"));
  const Finding* found = find(result, "AL102");
  REQUIRE(found);
  CHECK(found->rule == "unaligned_gemm_n");
  CHECK(found->severity == Severity::warning);
  CHECK(found->anchor.node == "first");
  CHECK(found->anchor.op == "MatMul");
  CHECK(found->anchor.scope == "/");
  CHECK(found->message == "N is 4097, not a multiple of 8");
  CHECK(found->targets == std::vector<std::string>{"a100_sxm_80"});
  REQUIRE(evidence(*found, "time_percent"));
  REQUIRE(evidence(*found, "flops"));
  REQUIRE(found->gain);
  CHECK(found->gain->point > 1.1);
  REQUIRE(found->requests.size() >= 1);
  CHECK(found->requests.front().text == "pad a axis 1 4097 -> 4104");
  CHECK(found->requests.front().safety == Safety::close);
  CHECK(found->fingerprint.size() == 16);
}

TEST_CASE("suppressed findings stay in the list with their reason, and pin nothing") {
  LintOptions options = only("AL102");
  options.suppressions.push_back(
      {.rule = "AL1", .node = "*", .reason = "measured", .expires = "", .origin = "aegis.toml:3"});
  options.suppressions.push_back({.rule = "PR", .node = "*", .reason = "old", .expires = "", .origin = "aegis.toml:7"});
  const LintResult result = lint_text(three_products, options);
  const Finding* found = find(result, "AL102");
  REQUIRE(found);
  REQUIRE(found->suppressed);
  CHECK(found->suppressed->by == "aegis.toml:3");
  CHECK(found->suppressed->reason == "measured");
  REQUIRE(result.stale_suppressions.size() == 1);
  CHECK(result.stale_suppressions[0].suppression.rule == "PR");
  CHECK_FALSE(result.stale_suppressions[0].expired);
}

TEST_CASE("an expired suppression covers nothing and is told") {
  LintOptions options = only("AL102");
  options.today = "2026-12-01";
  options.suppressions.push_back(
      {.rule = "AL102", .node = "*", .reason = "soon", .expires = "2026-11-30", .origin = "aegis.toml:3"});
  const LintResult result = lint_text(three_products, options);
  REQUIRE(find(result, "AL102"));
  CHECK_FALSE(find(result, "AL102")->suppressed);
  REQUIRE(result.stale_suppressions.size() == 1);
  CHECK(result.stale_suppressions[0].expired);
}

TEST_CASE("a suppression of some nodes splits them from their equals") {
  LintOptions options = only("AL102");
  options.suppressions.push_back({.rule = "AL102", .node = "third", .reason = "kept", .expires = "", .origin = "c:1"});
  const LintResult result = lint_text(three_products, options);
  for (const Finding& finding : result.findings) {
    const bool third = std::ranges::any_of(finding.members, [](const Place& p) { return p.node == "third"; });
    CHECK(third == finding.suppressed.has_value());
  }
}

TEST_CASE("the model's own metadata suppresses too") {
  const LintResult result = lint_text(R"(
    <ir_version: 10, opset_import: ["" : 21], metadata_props: ["aegis.suppress" : "AL102 f* padded by the runtime"]>
    g (float16[2048,1024] x, float16[1024,4097] a) => (float16[2048,4097] y) { [fc] y = MatMul(x, a) })",
                                      only("AL102"));
  const Finding* found = find(result, "AL102");
  REQUIRE(found);
  REQUIRE(found->suppressed);
  CHECK(found->suppressed->reason == "padded by the runtime");
}

TEST_CASE("a baseline accepts findings by structure: names do not matter") {
  const LintResult first = lint_text(three_products, only("AL102"));
  LintOptions options = only("AL102");
  for (const Finding& finding : first.findings) options.baseline.insert(finding.fingerprint);
  const LintResult renamed = lint_text(R"(
    g (float16[2048,1024] in, float16[1024,4097] p, float16[4097,1024] q) => (float16[2048,1024] out) {
      [a] t = MatMul(in, p)
      [b] u = MatMul(t, q)
      [c] v = MatMul(u, p)
      [d] out = MatMul(v, q)
    })",
                                       options);
  REQUIRE(renamed.findings.size() == first.findings.size());
  for (const Finding& finding : renamed.findings) {
    REQUIRE(finding.suppressed);
    CHECK(finding.suppressed->by == "baseline");
  }
}

TEST_CASE("findings that several targets share are one, with all targets") {
  const Target a100 = target("a100_sxm_80"), h100 = target("h100_sxm");
  LintOptions options = only("AL102");
  options.targets = {&a100, &h100};
  const LintResult result = lint_text(three_products, options);
  REQUIRE(find(result, "AL102"));
  CHECK(find(result, "AL102")->targets == std::vector<std::string>{"a100_sxm_80", "h100_sxm"});
}

TEST_CASE("levels of the configuration gate what pays and leave the rest as it is") {
  LintOptions options = only("AL102");
  options.severities["AL102"] = Severity::error;
  REQUIRE(find(lint_text(three_products, options), "AL102"));
  CHECK(find(lint_text(three_products, options), "AL102")->severity == Severity::error);
  options.severities["AL102"] = Severity::off;
  CHECK(count(lint_text(three_products, options), "AL102") == 0);
}

TEST_CASE("the result is the same for every number of threads") {
  LintOptions options;
  options.preview = true;
  const std::string one = words(lint_text(three_products, options));
  CHECK_FALSE(one.empty());
  options.threads = 8;
  for (int i = 0; i < 8; ++i) CHECK(words(lint_text(three_products, options)) == one);
}

TEST_CASE("pins name the nodes that a recast leaves wide, with the rule") {
  LintOptions options;
  options.as = {AEGIS_DTYPE_BFLOAT16};
  const char* text =
      "g (float[8,64] x, float[64,1000] w) => (float[8,1000] y) { [fc] l = MatMul(x, w)  [smax] y = Softmax(l) }";
  const LintResult result = lint_text(text, options);
  const auto model = parse_text(text);
  const Target on = target("a100_sxm_80");
  options.targets = {&on};
  options.select = {"AL"};  // what is shown does not matter to a recast
  const auto pins = recast_pins(*model, Binding{}, options);
  REQUIRE(pins);
  REQUIRE(pins->size() == 1);
  CHECK(label(*model, pins->front().node) == "smax");
  CHECK(pins->front().code == "PR318");
  CHECK(result.pins == *pins);
  options.ignore = {"PR318"};
  const auto released = recast_pins(*model, Binding{}, options);
  REQUIRE(released);
  CHECK(std::ranges::none_of(*released, [](const Pin& pin) { return pin.code == "PR318"; }));
}

namespace {

// The labels of the nodes that `code` keeps wide in a recast to `as`, in file order.
std::string kept(const char* text, Compute as, std::string_view code) {
  const auto model = parse_text(text);
  if (!model) FAIL(model.error().message);
  const Target on = target("a100_sxm_80");
  LintOptions options;
  options.targets = {&on};
  options.as = {as};
  const auto pins = recast_pins(*model, Binding{}, options);
  REQUIRE(pins);
  std::string out;
  for (const Pin& pin : *pins) {
    if (pin.code == code && pin.node != NodeId::none) out += (out.empty() ? "" : " ") + label(*model, pin.node);
  }
  return out;
}

}  // namespace

TEST_CASE("a mask keeps every Softmax that reads it wide, from its constant on") {
  CHECK(kept(R"(g (float[2,4,4] s, float[2,4,4] t, float[2,1,4] m) => (float[2,4,4] y, float[2,4,4] z)
               <float fill = {-3.4028234663852886e38}>
               { [pen] p = Mul(m, fill) [a] sa = Add(s, p) [sm] y = Softmax(sa) [b] tb = Add(t, p) [sn] z = Softmax(tb) })",
             AEGIS_DTYPE_BFLOAT16, "PR305") == "pen a sm b sn");
}

TEST_CASE("what an epsilon guards stays wide with it, through a root") {
  CHECK(kept(R"(g (float[4,16] x, float[4,1] n) => (float[4,16] y, float[4,16] z) <float eps = {1e-12}>
               { [guard] g1 = Max(n, eps) [div] y = Div(x, g1) [add] a = Add(n, eps) [root] r = Sqrt(a) [norm] z = Div(x, r) })",
             AEGIS_DTYPE_FLOAT16, "PR308") == "guard div add root norm");
}

TEST_CASE("the statistics of a norm stay wide, its scale and shift do not") {
  CHECK(kept(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[4,64] x, float[64,8] w) => (float[4,8] y)
               <float two = {2}, float eps = {1e-5}, float[1] g = {1}, float[1] b = {1}>
               { [mean] m = ReduceMean<axes = [-1]>(x) [sub] d = Sub(x, m) [pow] p = Pow(d, two)
                 [var] v = ReduceMean<axes = [-1]>(p) [add] e = Add(v, eps) [root] r = Sqrt(e) [div] n = Div(d, r)
                 [gamma] h = Mul(n, g) [beta] i = Add(h, b) [fc] y = MatMul(i, w) })",
             AEGIS_DTYPE_BFLOAT16, "PR310") == "mean sub pow var add root div");
}

TEST_CASE("a timestep stays wide through all its sines and cosines") {
  CHECK(kept(R"(g (float[2] t) => (float[2,1] y, float[2,1] z) <int64[1] ax = {1}, float freq = {0.1}>
               { [uns] u = Unsqueeze(t, ax) [angle] a = Mul(u, freq) [sin] y = Sin(a) [cos] z = Cos(a) })",
             AEGIS_DTYPE_BFLOAT16, "PR323") == "uns angle sin cos");
}

TEST_CASE("what ranks stays wide with what makes its input, back to the product") {
  CHECK(kept(R"(g (float[8,64] x, float[64,9] w, float[9] b) => (float[8,3] v, int64[8,3] i) <int64[1] k = {3}>
               { [fc] m = MatMul(x, w) [bias] a = Add(m, b) [act] r = Sigmoid(a) [top] v, i = TopK(r, k) })",
             AEGIS_DTYPE_BFLOAT16, "PR318") == "bias act top");
}

TEST_CASE("integers stay wide as far as they stay integers") {
  CHECK(
      kept(
          R"(g (int64[1,512] ids, float[512,1] x) => (float[512,1] y) <int64[1] ax = {2}, int64[1] zero = {0}, float one = {1}, float half = {0.5}>
               { [cast] f = Cast<to = 1>(ids) [next] g1 = Add(f, one) [turn] t = Transpose(g1) [scale] s = Mul(t, half)
                 [sum] y = Add(x, s) })",
          AEGIS_DTYPE_BFLOAT16, "PR320") == "cast next turn");
}

TEST_CASE("a Softmax written out is wide as a whole in FP16, and left alone in BF16") {
  const char* text = R"(g (float[8,64] x) => (float[8,64] y) <int64[1] last = {-1}>
                        { [exp] e = Exp(x) [sum] s = ReduceSum(e, last) [div] y = Div(e, s) })";
  CHECK(kept(text, AEGIS_DTYPE_FLOAT16, "PR317") == "exp sum div");
  CHECK(kept(text, AEGIS_DTYPE_BFLOAT16, "PR317").empty());
}

TEST_CASE("squares in FP16 stay wide up to the norm that reads them") {
  CHECK(kept(R"(g (float[8,64] x) => (float[8,64] y) <float[1] s = {1}>
               { [square] q = Mul(x, x) [ln] n = LayerNormalization(q, s) [act] y = Relu(n) })",
             AEGIS_DTYPE_FLOAT16, "PR328") == "square ln");
}

TEST_CASE("without a target there is nothing to judge against") {
  const auto result = lint(Model(), Binding{}, LintOptions{});
  REQUIRE_FALSE(result);
  CHECK(result.error().fault == Fault::usage);
}

TEST_CASE("coverage tells assumed and unbound symbols") {
  const char* text = "g (float[batch,64] x, float[64,64] w) => (float[batch,64] y) { y = MatMul(x, w) }";
  const LintResult assumed = lint_text(text, LintOptions{});
  CHECK(assumed.coverage.assumed.contains("batch"));
  CHECK(assumed.coverage.unbound.empty());
  const auto model = parse_text(text);
  const Target on = target("a100_sxm_80");
  LintOptions options;
  options.targets = {&on};
  const auto open = lint(*model, Binding{}, options);
  REQUIRE(open);
  CHECK(open->coverage.unbound == std::vector<std::string>{"batch"});
  CHECK(std::ranges::any_of(open->findings, [](const Finding& f) { return f.code == "MB211"; }));
}
