#include <algorithm>
#include <cstring>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/indices.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {
namespace {

// [outer, extent, inner] around an axis.
struct Around {
  std::int64_t outer = 1, extent = 1, inner = 1;
};
Around around(std::span<const std::int64_t> dims, int axis) {
  const auto at = static_cast<std::size_t>(axis);
  return {count(dims.first(at)), dims[at], count(dims.subspan(at + 1))};
}

Result<void> take(const GatherParams& params, const In& data, const In& indices, const Out& out, Parallel& parallel) {
  const Around a = around(data.dims, params.axis);
  AEGIS_TRY(const std::vector<std::int64_t> index, read_indices(indices, a.extent));
  const auto picks = static_cast<std::int64_t>(index.size());
  const auto bytes = static_cast<std::size_t>(a.inner) * element_bytes(data.type);
  parallel.run(a.outer * picks, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = i / picks * a.extent + index[static_cast<std::size_t>(i % picks)];
      std::memcpy(out.data + static_cast<std::size_t>(i) * bytes, data.data + static_cast<std::size_t>(from) * bytes,
                  bytes);
    }
  });
  return {};
}

Result<void> elements(const GatherParams& params, const In& data, const In& indices, const Out& out) {
  const auto axis = static_cast<std::size_t>(params.axis);
  bool fits = indices.dims.size() == data.dims.size();
  for (std::size_t i = 0; i < data.dims.size() && fits; ++i) fits = i == axis || indices.dims[i] <= data.dims[i];
  if (!fits) return Error{Fault::validation, "", "the extents of the indices do not fit the data", "", {}};
  AEGIS_TRY(const std::vector<std::int64_t> index, read_indices(indices, data.dims[axis]));
  const std::size_t size = element_bytes(data.type);
  Coordinates at(indices.dims);
  const std::vector<std::int64_t> stride = row_major(data.dims);
  for (std::size_t i = 0; i < index.size(); ++i, at.next()) {
    const std::int64_t from = at.dot(stride) + (index[i] - at[axis]) * stride[axis];
    std::memcpy(out.data + i * size, data.data + static_cast<std::size_t>(from) * size, size);
  }
  return {};
}

Result<void> nd(const GatherParams& params, const In& data, const In& indices, const Out& out) {
  const auto batch_axes = static_cast<std::size_t>(params.axis);
  if (indices.dims.size() <= batch_axes || indices.dims.back() < 0 ||
      batch_axes + static_cast<std::size_t>(indices.dims.back()) > data.dims.size() ||
      !std::ranges::equal(indices.dims.first(batch_axes), data.dims.first(batch_axes)))
    return Error{Fault::validation, "", "the extents of the indices do not fit the data", "", {}};
  const auto depth = static_cast<std::size_t>(indices.dims.back());
  const std::int64_t batches = count(data.dims.first(batch_axes));
  const std::int64_t tuples = batches ? count(indices.dims.first(indices.dims.size() - 1)) / batches : 0;
  const std::vector<std::int64_t> stride = row_major(data.dims);
  const std::int64_t plane = count(data.dims.subspan(batch_axes)), inner = count(data.dims.subspan(batch_axes + depth));
  const std::size_t bytes = static_cast<std::size_t>(inner) * element_bytes(data.type);
  std::vector<std::int64_t> index(static_cast<std::size_t>(count(indices.dims)));
  load(indices.type, indices.data, 0, static_cast<std::int64_t>(index.size()), index.data());
  for (std::int64_t i = 0; i < batches * tuples; ++i) {
    std::int64_t from = i / tuples * plane;
    for (std::size_t d = 0; d < depth; ++d) {
      AEGIS_TRY(const std::int64_t at,
                in_range(index[static_cast<std::size_t>(i) * depth + d], data.dims[batch_axes + d]));
      from += at * stride[batch_axes + d];
    }
    std::memcpy(out.data + static_cast<std::size_t>(i) * bytes,
                data.data + static_cast<std::size_t>(from) * element_bytes(data.type), bytes);
  }
  return {};
}

}  // namespace

Result<void> run(const GatherParams& params, Ins in, Outs out, Parallel& parallel) {
  if (element_bytes(in[0].type) == 0)
    return Error{Fault::validation, "", "elements of this type cannot be gathered", "", {}};
  switch (params.mode) {
    case GatherParams::Mode::take: return take(params, in[0], in[1], out[0], parallel);
    case GatherParams::Mode::elements: return elements(params, in[0], in[1], out[0]);
    case GatherParams::Mode::nd: return nd(params, in[0], in[1], out[0]);
  }
  return {};
}

}  // namespace aegis::kernels
