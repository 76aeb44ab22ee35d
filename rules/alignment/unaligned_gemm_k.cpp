#include <aegis/rule/unaligned.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) { report_unaligned(cx, node, AEGIS_K); }

static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[2048,1023] x, float[1023,4096] w) => (float[2048,4096] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[2048,1024] x, float[1024,4096] w) => (float[2048,4096] y) { y = MatMul(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[1,1023] x, float[1023,4096] w) => (float[1,4096] y) { y = MatMul(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[4096,10] x, float[10,4096] w) => (float[4096,4096] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(unaligned_gemm_k) = {
    .code = "AL101",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"MatMul", "Gemm", "Einsum", "com.microsoft::FusedMatMul">,
    .facts = facts<aegis_gemm, aegis_align, aegis_cost, aegis_roofline>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The inner dim K of a matrix product is not a multiple of what the compute type wants: 8 elements for FP16 "
        "and BF16, 4 for TF32, 16 for INT8.\n\n"
        "## Why\n"
        "Rows of K elements that are not a multiple of 16 bytes miss the fast path of the libraries. The product "
        "still runs, slower by an estimated range that the finding states.\n\n"
        "## Fix\n"
        "Pad K with zeros: the added terms are zero, so results change by the order of rounding at most.",
    .bad = list(bad),
    .good = list(good)};
