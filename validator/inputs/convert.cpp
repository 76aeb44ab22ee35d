#include <fmt/format.h>

#include <cmath>

#include "validator/inputs/read_inputs.hpp"

namespace aegis {
namespace {

bool is_integer(DType type) {
  switch (type) {
    case DType::u8:
    case DType::i8:
    case DType::u16:
    case DType::i16:
    case DType::i32:
    case DType::i64:
    case DType::u32:
    case DType::u64:
    case DType::boolean:
    case DType::u4:
    case DType::i4: return true;
    default: return false;
  }
}

Error unfit(const Tensor& tensor, DType type, const std::string& what, std::string detail) {
  return Error{.fault = Fault::usage,
               .code = {},
               .message = fmt::format("{} is {}, expected {}{}; convert the array first", what, name(tensor.type),
                                      name(type), detail),
               .where = {},
               .notes = {}};
}

}  // namespace

Result<Tensor> convert(const Tensor& tensor, DType type, const std::string& what) {
  if (tensor.type == type || type == DType::undefined) return tensor;
  const bool floats = is_float(tensor.type) && is_float(type);
  if (!floats && !(is_integer(tensor.type) && is_integer(type))) return unfit(tensor, type, what, "");
  AEGIS_TRY(const std::vector<double> values, to_doubles(tensor));
  if (!floats) {
    // 2^53 and above a double is no longer every integer.
    for (const double v : values)
      if (std::fabs(v) >= 0x1p53) return unfit(tensor, type, what, fmt::format(", and {} may not survive", v));
  }
  Tensor out = from_doubles(type, tensor.dims, values);
  if (tensor.type == DType::f32 && is_narrow_float(type)) return out;
  AEGIS_TRY(const std::vector<double> back, to_doubles(out));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (back[i] != values[i] && !(std::isnan(back[i]) && std::isnan(values[i])))
      return unfit(tensor, type, what, fmt::format(", and {} does not survive", values[i]));
  return out;
}

}  // namespace aegis
