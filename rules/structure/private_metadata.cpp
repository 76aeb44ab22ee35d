#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

// A finding for each kind, with how often and where first: exporters write the same path to every node.
static void check_kind(Context& cx, const aegis_text& text, std::uint32_t kind, std::string_view what) {
  std::uint64_t count = 0;
  const aegis_hit* first = nullptr;
  for (const auto& hit : Items<aegis_hit>(text.list)) {
    if (hit.kind != kind) continue;
    if (count++ == 0) first = &hit;
  }
  if (!first) return;
  finding_at(cx, first->at)
      .certainty(AEGIS_CERTAIN)
      .message("{} texts hold {}, such as `{}` in a {}", count, what, first->masked, first->field)
      .evidence("texts", AEGIS_PLAIN, count)
      .advise("take it out before the model is given away");
}

static void check(Context& cx) {
  const auto* text = cx.fact<aegis_text>();
  if (!text) return;
  check_kind(cx, *text, AEGIS_TEXT_PATH, "a home folder");
  check_kind(cx, *text, AEGIS_TEXT_ADDRESS, "a mail address");
  check_kind(cx, *text, AEGIS_TEXT_SECRET, "what looks like a password or token");
}

static constexpr Example bad[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21], doc_string: \"made in /home/someone/models\"> "
             "g (float[4] x) => (float[4] y) { y = Relu(x) }"},
    {.text = "<ir_version: 10, opset_import: [\"\" : 21], metadata_props: [\"author\" : \"someone@host.example\"]> "
             "g (float[4] x) => (float[4] y) { y = Relu(x) }"}};
static constexpr Example good[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21], doc_string: \"a model @ version 2\"> "
             "g (float[4] x) => (float[4] y) { y = Relu(x) }"}};

AEGIS_RULE(private_metadata) = {
    .code = "ST513",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_text>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Metadata or a description holds a home folder, a mail address, or what looks like a token. The report shows "
        "it "
        "masked.\n\n"
        "## Why\n"
        "Whoever gets the model gets that, too. Exporters write paths of the machine that they run on.\n\n"
        "## Fix\n"
        "Take it out before the model is given away.",
    .bad = list(bad),
    .good = list(good)};
