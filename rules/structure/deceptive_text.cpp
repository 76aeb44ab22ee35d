#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

static std::string_view trouble(std::uint32_t kind) {
  switch (kind) {
    case AEGIS_TEXT_CONTROL: return "control or invisible characters";
    case AEGIS_TEXT_BIDI: return "characters that turn the direction of the text";
    case AEGIS_TEXT_CONFUSABLE: return "a word of letters from two scripts that look alike";
    case AEGIS_TEXT_INVALID_UTF8: return "bytes that are no UTF-8";
    default: return {};
  }
}

static void check(Context& cx) {
  const auto* text = cx.fact<aegis_text>();
  if (!text) return;
  for (const auto& hit : Items<aegis_hit>(text->list)) {
    const std::string_view what = trouble(hit.kind);
    if (what.empty()) continue;
    finding_at(cx, hit.at)
        .certainty(AEGIS_CERTAIN)
        .message("the {} `{}` holds {}", hit.field, hit.masked, what)
        .evidence("field", view(hit.field))
        .advise("what is shown is not what is there: rename it");
  }
}

static constexpr Example bad[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21], doc_string: \"safe\xe2\x80\xaetxt\"> "
             "g (float[4] x) => (float[4] y) { y = Relu(x) }"},
    {.text = "<ir_version: 10, opset_import: [\"\" : 21], metadata_props: [\"\xd1\x81onfig\" : \"1\"]> "
             "g (float[4] x) => (float[4] y) { y = Relu(x) }"}};
static constexpr Example good[] = {{.text = "g (float[4] x) => (float[4] y) { [plain_name] y = Relu(x) }"}};

AEGIS_RULE(deceptive_text) = {
    .code = "ST512",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_text>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A name, domain, location or description holds characters that a reader does not see or takes for others: "
        "control characters, characters without width, changes of writing direction, words of two scripts that look "
        "alike, bytes that are no UTF-8.\n\n"
        "## Why\n"
        "Such a name can hide a line of a log, or pass for another one. Aegis escapes them in every report.\n\n"
        "## Fix\n"
        "Rename what the finding names.",
    .bad = list(bad),
    .good = list(good)};
