#include <aegis/rule.hpp>

using namespace aegis::sdk;

static constexpr std::int64_t wanted = 8, longest = 256;

static bool is_16_bit(aegis_dtype compute) { return compute == AEGIS_DTYPE_FLOAT16 || compute == AEGIS_DTYPE_BFLOAT16; }

struct Trouble {
  std::string_view dim;
  aegis_extent extent{};
  std::uint32_t bit = 0;  // at the node that stands for the core
  std::int64_t multiple = 0;
  bool key_length = false;
};

static Trouble trouble_of(Context& cx, const aegis_attention& core) {
  const bool fused = (core.flags & AEGIS_ATTENTION_FUSED) != 0;
  const std::uint32_t head = fused ? AEGIS_HEAD : AEGIS_K, keys = fused ? AEGIS_KEYS : AEGIS_N;
  if (cx.divides(core.head_dim.dim, wanted) == AEGIS_NO) return {"head dim", core.head_dim, head, wanted};
  if (cx.at_least(core.head_dim.dim, longest + 1) == AEGIS_YES) return {"head dim", core.head_dim, head, 0};
  if ((core.flags & AEGIS_ATTENTION_KEY_STATIC) && cx.divides(core.key_len.dim, wanted) == AEGIS_NO) {
    return {"key length", core.key_len, keys, wanted, true};
  }
  return {};
}

static void relate_core(Context& cx, Finding& found, Group group) {
  for (const aegis_node member : group.members) {
    if (const auto* core = cx.fact<aegis_attention>(member)) found.relate_all(core->nodes, "attention", member);
  }
}

static void check(Context& cx, Group group) {
  const auto* core = cx.fact<aegis_attention>(group.first);
  if (!core || !is_16_bit(core->compute)) return;
  const Trouble trouble = trouble_of(cx, *core);
  if (trouble.bit == 0) return;
  auto opened = cx.finding(group).severity(trouble.key_length ? AEGIS_INFO : AEGIS_WARNING);
  auto found = trouble.multiple == 0
                   ? opened.message("the {} is {}, above {}: attention kernels end there", trouble.dim,
                                    cx.text(trouble.extent), longest)
                   : opened.message("the {} is {}, not a multiple of {}", trouble.dim, cx.text(trouble.extent), wanted);
  found.standard(group.first)
      .evidence("heads", AEGIS_PLAIN, core->heads.dim.value)
      .evidence("key_length", AEGIS_ELEMENTS, core->key_len.dim.value)
      .evidence_answer("scale_is_default", core->scale_is_default);
  relate_core(cx, found, group);
  if (trouble.multiple == 0) return;
  const auto pad = cx.query(aegis_pad_in{.node = group.first, .dims = trouble.bit, .multiple = trouble.multiple});
  if (pad) found.padding(*pad);
  if (trouble.key_length) return;
  const auto heads = core->heads.dim.value;
  found.request(PadDim{.inside = AEGIS_PAD_PER_HEAD,
                       .dim = core->head_dim,
                       .multiple = wanted,
                       .blocks = heads > 0 ? static_cast<std::uint32_t>(heads) : 1},
                Safety::close);
}

#define CORE(d, s)                                                                                              \
  "g (float[1,16," s "," d "] q, float[1,16," d "," s "] k, float[1,16," s "," d "] v) => (float[1,16," s "," d \
  "] y) <float scale = {0.2}> { qk = MatMul(q, k)  s = Mul(qk, scale)  p = Softmax(s)  y = MatMul(p, v) }"

static constexpr Example bad[] = {{.as = "fp16", .text = CORE("20", "1024")}};
static constexpr Example good[] = {{.as = "fp16", .text = CORE("64", "1024")},
                                   {.as = "fp16", .text = CORE("80", "1024")},
                                   {.text = CORE("20", "1024")}};

AEGIS_RULE(unaligned_head_dim) = {
    .code = "AL108",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"@attention", "Attention", "com.microsoft::MultiHeadAttention", "com.microsoft::GroupQueryAttention">,
    .facts = facts<aegis_attention, aegis_gemm, aegis_cost, aegis_roofline>,
    .silences = codes<"AL101", "AL102", "AL103", "AL112">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The head dim of an attention core is not a multiple of 8 or is above 256, or its static key length is not "
        "a multiple of 8.\n\n"
        "## Why\n"
        "Fused attention kernels take 16-bit heads in multiples of 8 up to 256; other sizes fall back to separate "
        "products, which store the scores.\n\n"
        "## Fix\n"
        "Pad inside each head with zeros and keep the scale of the original head dim as an explicit factor.",
    .bad = list(bad),
    .good = list(good)};
