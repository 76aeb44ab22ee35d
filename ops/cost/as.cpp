#include "ops/cost/as.hpp"

#include <limits>

namespace aegis {
namespace {

bool replaced(DType stored) { return stored == DType::f32 || is_narrow_float(stored); }

}  // namespace

Compute compute_as(const FactTable& table, DType stored, Retype retype) {
  Compute compute = compute_of(stored);
  if (replaced(stored)) {
    const Compute planned = retype.compute ? retype.compute : table.view().planned;
    if (planned == AEGIS_DTYPE_FLOAT) return AEGIS_DTYPE_FLOAT;  // asked for by name: strict
    if (planned != 0) compute = planned;
  }
  const bool tf32 = compute == AEGIS_DTYPE_TF32 || table.view().tf32;
  return product_compute(table.target(), compute, tf32);
}

double bytes_as(const FactTable& table, DType stored, Retype retype) {
  const Compute planned = retype.storage ? retype.storage : table.view().planned;
  if (planned != 0 && replaced(stored)) return storage_bytes(planned);
  return bits(stored) / 8.0;
}

double value_bytes(const FactTable& table, ValueId value, Retype retype) {
  if (value == ValueId::none) return 0;
  const auto& type = table.types().of(value);
  const auto elements = type.tensor() ? type.elements() : std::nullopt;
  if (!elements) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(*elements) * bytes_as(table, type.dtype, retype);
}

}  // namespace aegis
