#include "exec/kernels/cpu/indices.hpp"

#include <fmt/format.h>

#include "exec/kernels/convert.hpp"

namespace aegis::kernels {

std::size_t element_bytes(DType type) {
  const int width = bits(type);
  return width % 8 == 0 ? static_cast<std::size_t>(width / 8) : 0;
}

Result<std::int64_t> in_range(std::int64_t index, std::int64_t extent) {
  if (index >= -extent && index < extent) return index < 0 ? index + extent : index;
  return Error{Fault::validation,
               "",
               fmt::format("index {} is outside an axis of {}, give {} to {}", index, extent, -extent, extent - 1),
               "",
               {}};
}

Result<std::vector<std::int64_t>> read_indices(const In& indices, std::int64_t extent) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(count(indices.dims)));
  load(indices.type, indices.data, 0, static_cast<std::int64_t>(index.size()), index.data());
  for (std::int64_t& i : index) {
    AEGIS_TRY(i, in_range(i, extent));
  }
  return index;
}

std::vector<std::int64_t> row_major(std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

}  // namespace aegis::kernels
