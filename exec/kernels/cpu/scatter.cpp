// `scatter`: updates are applied to a copy of the data in index order, one after the other.

#include <algorithm>
#include <cstring>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/indices.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/functors.hpp"

namespace aegis::kernels {
namespace {

using Combine = ScatterParams::Combine;

// Writes `n` consecutive updates onto the elements from `to` on.
template <class C>
void combine_as(Combine combine, const In& updates, std::int64_t from, const Out& out, std::int64_t to,
                std::int64_t n) {
  const functors::Constants<C> none{};
  for (std::int64_t i = 0; i < n; ++i) {
    C old, update;
    load(out.type, out.data, to + i, 1, &old);
    load(updates.type, updates.data, from + i, 1, &update);
    switch (combine) {
      case Combine::add: old = functors::add::of(none, old, update); break;
      case Combine::mul: old = functors::mul::of(none, old, update); break;
      case Combine::max: old = functors::max::of(none, old, update); break;
      case Combine::min: old = functors::min::of(none, old, update); break;
      case Combine::none: old = update; break;
    }
    store(out.type, &old, 1, out.data, to + i);
  }
}

void combine(Combine combine, const In& updates, std::int64_t from, const Out& out, std::int64_t to, std::int64_t n) {
  const std::size_t size = element_bytes(out.type);
  if (combine == Combine::none) {
    std::memcpy(out.data + static_cast<std::size_t>(to) * size, updates.data + static_cast<std::size_t>(from) * size,
                static_cast<std::size_t>(n) * size);
    return;
  }
  with_compute(compute_type(out.type),
               [&](auto zero) { combine_as<decltype(zero)>(combine, updates, from, out, to, n); });
}

bool fits(const ScatterParams& params, const In& data, const In& indices, const In& updates) {
  if (params.mode == ScatterParams::Mode::elements) {
    if (indices.dims.size() != data.dims.size() || !std::ranges::equal(indices.dims, updates.dims)) return false;
    for (std::size_t i = 0; i < data.dims.size(); ++i)
      if (static_cast<int>(i) != params.axis && indices.dims[i] > data.dims[i]) return false;
    return true;
  }
  if (indices.dims.empty() || indices.dims.back() < 0 ||
      static_cast<std::size_t>(indices.dims.back()) > data.dims.size())
    return false;
  const std::int64_t inner = count(data.dims.subspan(static_cast<std::size_t>(indices.dims.back())));
  return count(updates.dims) == count(indices.dims.first(indices.dims.size() - 1)) * inner;
}

}  // namespace

Result<void> run(const ScatterParams& params, Ins in, Outs out, Parallel&) {
  const In &data = in[0], &indices = in[1], &updates = in[2];
  if (element_bytes(data.type) == 0)
    return Error{Fault::validation, "", "elements of this type cannot be scattered", "", {}};
  if (!fits(params, data, indices, updates))
    return Error{Fault::validation, "", "the extents of indices and updates do not fit the data", "", {}};
  std::memcpy(out[0].data, data.data, static_cast<std::size_t>(count(data.dims)) * element_bytes(data.type));
  const std::vector<std::int64_t> stride = row_major(data.dims);
  if (params.mode == ScatterParams::Mode::elements) {
    const auto axis = static_cast<std::size_t>(params.axis);
    AEGIS_TRY(const std::vector<std::int64_t> index, read_indices(indices, data.dims[axis]));
    Coordinates at(indices.dims);
    for (std::size_t i = 0; i < index.size(); ++i, at.next()) {
      const std::int64_t to = at.dot(stride) + (index[i] - at[axis]) * stride[axis];
      combine(params.combine, updates, static_cast<std::int64_t>(i), out[0], to, 1);
    }
    return {};
  }
  const auto depth = static_cast<std::size_t>(indices.dims.back());
  const std::int64_t tuples = count(indices.dims.first(indices.dims.size() - 1)),
                     inner = count(data.dims.subspan(depth));
  std::vector<std::int64_t> index(static_cast<std::size_t>(count(indices.dims)));
  load(indices.type, indices.data, 0, static_cast<std::int64_t>(index.size()), index.data());
  for (std::int64_t i = 0; i < tuples; ++i) {
    std::int64_t to = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      AEGIS_TRY(const std::int64_t at, in_range(index[static_cast<std::size_t>(i) * depth + d], data.dims[d]));
      to += at * stride[d];
    }
    combine(params.combine, updates, i * inner, out[0], to, inner);
  }
  return {};
}

}  // namespace aegis::kernels
