#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

// Smells that come in numbers are told once, with the first tensor that has them.
struct Counted {
  std::uint64_t count = 0;
  aegis_value first{AEGIS_NONE};
  void add(aegis_value value) {
    if (count++ == 0) first = value;
  }
};

struct Smells {
  Counted no_length, misaligned;
};

static void check_value(Context& cx, aegis_value value, Smells& smells) {
  const auto* external = cx.fact<aegis_external>(value);
  const auto* info = external && external->flags != 0 ? cx.value(value) : nullptr;
  if (!info) return;
  if (external->flags & AEGIS_EXTERNAL_NO_LENGTH) smells.no_length.add(value);
  if (external->flags & AEGIS_EXTERNAL_MISALIGNED) smells.misaligned.add(value);
  if (external->flags & AEGIS_EXTERNAL_OVERLAP)
    cx.finding(value)
        .certainty(AEGIS_CERTAIN)
        .message("`{}` shares some of its bytes in `{}` with another tensor, and not all of them", info->name,
                 external->location)
        .evidence("offset", AEGIS_BYTES, external->span.offset)
        .evidence("length", AEGIS_BYTES, external->span.length)
        .relate(external->overlaps, "other")
        .advise("write the data file again: one of the two tensors is wrong");
  if (external->flags & AEGIS_EXTERNAL_BAD_KEY)
    cx.finding(value)
        .certainty(AEGIS_CERTAIN)
        .message("the place of `{}` is written in an odd way: {}", info->name, external->detail)
        .advise("readers differ in what they make of it: write the model again");
}

static void check(Context& cx) {
  Smells smells;
  for_each_constant(cx, [&](aegis_value value) { check_value(cx, value, smells); });
  if (smells.no_length.count > 0)
    cx.finding()
        .certainty(AEGIS_CERTAIN)
        .message("{} external tensors do not say how long they are", smells.no_length.count)
        .relate(smells.no_length.first, "first")
        .advise("a data file that was cut off is not noticed: write the lengths");
  if (smells.misaligned.count > 0)
    cx.finding()
        .severity(AEGIS_INFO)
        .certainty(AEGIS_CERTAIN)
        .message("{} external tensors of 1 MiB and more do not begin at a multiple of 4096 bytes",
                 smells.misaligned.count)
        .relate(smells.misaligned.first, "first")
        .advise("they cannot be mapped into memory as they are: align them when the file is written");
}

static constexpr Example bad[] = {
    {.text = "g (float[4] x) => (float[4] y) <float[4] a = [\"location\": \"w.bin\", \"offset\": \"0\", \"length\": "
             "\"16\"], float[4] b = [\"location\": \"w.bin\", \"offset\": \"8\", \"length\": \"16\"]> { t = Add(x, a) "
             "y = Add(t, b) }"},
    {.text = "g (float[4] x) => (float[4] y) <float[4] a = [\"location\": \"w.bin\", \"offset\": \"0\"]> "
             "{ y = Add(x, a) }"},
    {.text =
         "g (float[4] x) => (float[4] y) <float[4] a = [\"location\": \"w.bin\", \"location\": \"v.bin\", \"offset\": "
         "\"0\", \"length\": \"16\"]> { y = Add(x, a) }"}};
static constexpr Example good[] = {
    {.text = "g (float[4] x) => (float[4] y) <float[4] a = [\"location\": \"w.bin\", \"offset\": \"0\", \"length\": "
             "\"16\"], float[4] b = [\"location\": \"w.bin\", \"offset\": \"0\", \"length\": \"16\"]> { t = Add(x, a) "
             "y = Add(t, b) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Relu(x) }"}};

AEGIS_RULE(external_data_smell) = {
    .code = "ST509",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_external>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A model keeps weights in another file and says so in an odd way: two tensors share a part of their bytes, a "
        "key "
        "stands twice or is unknown, a length is missing, a large tensor is not aligned.\n\n"
        "## Why\n"
        "Overlapping ranges mean that one of the tensors is wrong, and readers differ in what they make of odd keys. "
        "Two "
        "tensors with the same range are tied weights and fine.\n\n"
        "## Fix\n"
        "Write model and data file again.",
    .bad = list(bad),
    .good = list(good)};
