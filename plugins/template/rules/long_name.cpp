// A rule to start from. Rename the file and AEGIS_RULE together; the code is the pack's prefix and three digits.
#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const auto limit = static_cast<std::uint64_t>(cx.option("max_length"));
  if (!info || info->name.size <= limit) return;
  cx.finding(node)
      .message("the node's name has {} characters, more than {}", info->name.size, limit)
      .evidence("length", AEGIS_PLAIN, info->name.size)
      .advise("a shorter name reads better in every report");
}

static constexpr Option options[] = {{.type = AEGIS_OPTION_INT,
                                      .key = "max_length",
                                      .value = 60,
                                      .min = 1,
                                      .max = 1000,
                                      .help = "the longest name that is let pass"}};
static constexpr Example bad[] = {
    {.text = "g (float[4] x) => (float[4] y) "
             "{ [a_name_that_goes_on_and_on_and_on_until_nobody_wants_to_read_it_any_more] y = Relu(x) }"}};
static constexpr Example good[] = {{.text = "g (float[4] x) => (float[4] y) { [relu] y = Relu(x) }"}};

AEGIS_RULE(long_name) = {.code = "MY101",
                         .severity = AEGIS_INFO,
                         .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
                         .options = list(options),
                         .check = entry<check>,
                         .doc =
                             "## What\nA node's name is very long.\n\n"
                             "## Why\nReports and logs repeat it.\n\n"
                             "## Fix\nShorten it in the exporter.",
                         .bad = list(bad),
                         .good = list(good)};
