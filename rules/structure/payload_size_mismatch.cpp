#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

#include <cmath>

using namespace aegis::sdk;

// What TensorProto calls the field of that number.
static std::string_view field_name(std::uint32_t field) {
  switch (field) {
    case 4: return "float_data";
    case 5: return "int32_data";
    case 6: return "string_data";
    case 7: return "int64_data";
    case 9: return "raw_data";
    case 10: return "double_data";
    case 11: return "uint64_data";
    default: return "no field";
  }
}

// The first reader of the tensor, or the tensor that nobody reads.
static Opening at(Context& cx, aegis_value value, const aegis_value_info& info) {
  const bool read = info.uses_count > 0 && some(info.uses[0].node);
  Opening opening = read ? cx.finding(info.uses[0].node) : cx.finding(value);
  opening.certainty(AEGIS_CERTAIN);
  return opening;
}

static bool right_field(const aegis_payload& payload) {
  constexpr std::uint32_t raw = 9;
  switch (payload.dtype) {
    case AEGIS_DTYPE_STRING: return payload.field == 6 || payload.field == 0;
    case AEGIS_DTYPE_FLOAT:
    case AEGIS_DTYPE_COMPLEX64: return payload.field == 4 || payload.field == raw || payload.field == 0;
    case AEGIS_DTYPE_DOUBLE:
    case AEGIS_DTYPE_COMPLEX128: return payload.field == 10 || payload.field == raw || payload.field == 0;
    case AEGIS_DTYPE_INT64: return payload.field == 7 || payload.field == raw || payload.field == 0;
    case AEGIS_DTYPE_UINT32:
    case AEGIS_DTYPE_UINT64: return payload.field == 11 || payload.field == raw || payload.field == 0;
    default: return payload.field == 5 || payload.field == raw || payload.field == 0;
  }
}

static void check_value(Context& cx, aegis_value value) {
  const auto* payload = cx.fact<aegis_payload>(value);
  const auto* info = payload ? cx.value(value) : nullptr;
  if (!info) return;
  const bool valid = !std::isnan(payload->declared_bytes);
  const bool single = payload->extra_fields == 0, fits = right_field(*payload);
  const bool equal = std::isnan(payload->actual_bytes) || payload->actual_bytes == payload->declared_bytes;
  if (valid && single && fits && equal) return;
  const auto report = [&](Finding finding) {
    finding.relate(value, "tensor")
        .evidence("declared", AEGIS_BYTES, payload->declared_bytes)
        .evidence("stored", AEGIS_BYTES, payload->actual_bytes)
        .advise("write the tensor again: its data is not what it says");
  };
  Opening opening = at(cx, value, *info);
  if (!valid)
    report(opening.message("the tensor `{}` has a negative extent, or element type {} that ONNX does not define",
                           info->name, payload->dtype));
  else if (!fits)
    report(opening.message("the data of tensor `{}` lies in {}, which is not for its type", info->name,
                           field_name(payload->field)));
  else if (!single)
    report(opening.message("the tensor `{}` has its data in {} places, one expected", info->name,
                           payload->extra_fields + 1));
  else if (payload->dtype == AEGIS_DTYPE_STRING)
    report(opening.message("the tensor `{}` holds {} strings, its shape says {}", info->name, payload->actual_bytes,
                           payload->declared_bytes));
  else
    report(opening.message("the tensor `{}` has {} bytes of data, its type and shape make {}", info->name,
                           payload->actual_bytes, payload->declared_bytes));
}

static void check(Context& cx) {
  for_each_constant(cx, [&](aegis_value value) { check_value(cx, value); });
}

static constexpr Example bad[] = {
    {.text = "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3}> { y = Add(x, w) }"},
    {.text = "g (float[2] x) => (float[2] y) { w = Constant <value = float[2] {1, 2, 3}> () y = Add(x, w) }"}};
static constexpr Example good[] = {
    {.text = "g (float[2,2] x) => (float[2,2] y) <float[2,2] w = {1, 2, 3, 4}> { y = Add(x, w) }"},
    {.text = "g (float[0] x) => (float[0] y) <float[0] w = {}> { y = Add(x, w) }"}};

AEGIS_RULE(payload_size_mismatch) = {
    .code = "ST503",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_ERROR,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_payload>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A stored tensor has more or less data than its type and shape make, has it in two places, or in a field that "
        "is not for its type. Only sizes are looked at, no weights are read.\n\n"
        "## Why\n"
        "A runtime refuses such a tensor, or reads past its end. No pass runs on the file.\n\n"
        "## Fix\n"
        "Write the tensor again.",
    .bad = list(bad),
    .good = list(good)};
