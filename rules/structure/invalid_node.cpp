#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* found = cx.fact<aegis_defects>();
  if (!found) return;
  for (const auto& defect : Items<aegis_defect>(found->list)) {
    switch (defect.kind) {
      case AEGIS_DEFECT_UNKNOWN_OP:
        finding_at(cx, defect.at)
            .certainty(AEGIS_CERTAIN)
            .message("opset {} has no operator {}", defect.number, defect.name)
            .evidence("opset", AEGIS_PLAIN, defect.number)
            .advise("import an opset that has the operator, or correct its name or domain");
        break;
      case AEGIS_DEFECT_NO_IMPORT:
        finding_at(cx, defect.at)
            .certainty(AEGIS_CERTAIN)
            .message("is of domain {}, of which the model imports no opset", defect.name)
            .advise("add the domain to the model's opset imports");
        break;
      case AEGIS_DEFECT_ARITY:
      case AEGIS_DEFECT_ATTRIBUTE:
      case AEGIS_DEFECT_SHAPES:
        finding_at(cx, defect.at)
            .certainty(AEGIS_CERTAIN)
            .message("{}", defect.name)
            .evidence("breaks", defect.kind == AEGIS_DEFECT_ARITY       ? "arity"
                                : defect.kind == AEGIS_DEFECT_ATTRIBUTE ? "attributes"
                                                                        : "types, shapes or values")
            .advise("no runtime that checks the schema loads the node as it is: correct it, or export it again");
        break;
      default: break;
    }
  }
}

static constexpr Example bad[] = {
    {.text = "g (float[1,3,8,8] x, float[4,3,3,3] w) => (float[1,4,6,6] y) { y = Conv <strides = [0, 1]> (x, w) }"},
    {.text = "g (float[2,3] x, float[4,5] w) => (float[2,5] y) { y = MatMul(x, w) }"},
    {.text = "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [0, 2]> (x) }"},
    {.text = "g (float[4] x, double[4] z) => (float[4] y) { y = Add(x, z) }"},
    {.text = "g (int64[4] x) => (int64[4] y) { y = Exp(x) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Relu(x, x) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Relu <slope = 0.5> (x) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Mystery(x) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = com.acme.Mystery(x) }"}};
static constexpr Example good[] = {
    {.text = "g (float[1,3,8,8] x, float[4,3,3,3] w) => (float[1,4,6,6] y) { y = Conv(x, w) }"},
    {.text = "<ir_version: 10, opset_import: [\"\" : 21, \"com.acme\" : 1]> "
             "g (float[4] x) => (float[4] y) { y = com.acme.Mystery(x) }"},
    {.text = "g (float[1,S] x, float[37] p) => (float[1,S] y) { y = Add(x, p) }"}};

AEGIS_RULE(invalid_node) = {
    .code = "ST515",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_ERROR,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_defects>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A node breaks the schema of its operator: its number of inputs, its attributes, the types of its inputs, "
        "shapes "
        "that cannot meet; or there is no such operator at the opset that the model imports. Operators of other "
        "domains "
        "are not judged.\n\n"
        "## Why\n"
        "A runtime refuses the model when it is loaded, or worse, when it is run. No pass runs on it, unless the pass "
        "repairs the node.\n\n"
        "## Fix\n"
        "The message is what the schema says; correct the node, or export the model again.",
    .bad = list(bad),
    .good = list(good)};
