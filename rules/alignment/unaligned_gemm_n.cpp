#include <aegis/rule/unaligned.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) { report_unaligned(cx, node, AEGIS_N); }

static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[2048,1024] x, float[1024,1001] w) => (float[2048,1001] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[2048,1024] x, float[1024,1008] w) => (float[2048,1008] y) { y = MatMul(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[2048,1024] x, float[1024,10] w) => (float[2048,10] y) { y = MatMul(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[1001,1024] x, float[1024,1024] w) => (float[1001,1024] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(unaligned_gemm_n) = {
    .code = "AL102",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"MatMul", "Gemm", "Einsum", "com.microsoft::FusedMatMul">,
    .facts = facts<aegis_gemm, aegis_align, aegis_cost, aegis_roofline>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The output dim N of a matrix product is not a multiple of what the compute type wants: 8 elements for FP16 "
        "and BF16, 4 for TF32, 16 for INT8.\n\n"
        "## Why\n"
        "N is contiguous in the second operand and in the result; rows that are not a multiple of 16 bytes miss the "
        "fast path of the libraries. M, the number of rows, is free.\n\n"
        "## Fix\n"
        "Pad N with zeros up to the next multiple. What reads the result is padded with it or cuts it off.",
    .bad = list(bad),
    .good = list(good)};
