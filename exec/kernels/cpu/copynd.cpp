#include <algorithm>
#include <cstring>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {
namespace {

// Axes of extent 1 dropped, neighbours merged where both sides are contiguous over them.
CopyParams merged(const CopyParams& c) {
  CopyParams m{.in_offset = c.in_offset, .out_offset = c.out_offset};
  for (std::size_t i = 0; i < static_cast<std::size_t>(c.rank); ++i) {
    if (c.extent[i] == 1) continue;
    const auto last = static_cast<std::size_t>(m.rank) - 1;
    if (m.rank > 0 && m.in_stride[last] == c.in_stride[i] * c.extent[i] &&
        m.out_stride[last] == c.out_stride[i] * c.extent[i]) {
      m.extent[last] *= c.extent[i];
      m.in_stride[last] = c.in_stride[i];
      m.out_stride[last] = c.out_stride[i];
      continue;
    }
    const auto next = static_cast<std::size_t>(m.rank++);
    m.extent[next] = c.extent[i];
    m.in_stride[next] = c.in_stride[i];
    m.out_stride[next] = c.out_stride[i];
  }
  if (m.rank == 0)
    m = {.rank = 1,
         .extent = {1},
         .in_stride = {1},
         .out_stride = {1},
         .in_offset = c.in_offset,
         .out_offset = c.out_offset};
  return m;
}

template <class T>
void copy(const CopyParams& c, const T* in, T* out, Parallel& parallel) {
  const auto inner = static_cast<std::size_t>(c.rank) - 1;
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < inner; ++i) rows *= c.extent[i];
  const std::int64_t n = c.extent[inner], step_in = c.in_stride[inner], step_out = c.out_stride[inner];
  if (rows == 0 || n == 0) return;
  parallel.run(rows, std::max<std::int64_t>(1, 16384 / n), [&](std::int64_t begin, std::int64_t end) {
    Extents at{};
    std::int64_t rest = begin, from = c.in_offset, to = c.out_offset;
    for (std::size_t i = inner; i-- > 0;) {
      at[i] = rest % c.extent[i];
      rest /= c.extent[i];
      from += at[i] * c.in_stride[i];
      to += at[i] * c.out_stride[i];
    }
    for (std::int64_t row = begin; row < end; ++row) {
      if (step_in == 1 && step_out == 1) {
        std::memcpy(out + to, in + from, static_cast<std::size_t>(n) * sizeof(T));
      } else if (step_in == 0 && step_out == 1) {
        std::fill(out + to, out + to + n, in[from]);
      } else {
        for (std::int64_t j = 0; j < n; ++j) out[to + j * step_out] = in[from + j * step_in];
      }
      for (std::size_t i = inner; i-- > 0;) {
        from += c.in_stride[i];
        to += c.out_stride[i];
        if (++at[i] < c.extent[i]) break;
        from -= at[i] * c.in_stride[i];
        to -= at[i] * c.out_stride[i];
        at[i] = 0;
      }
    }
  });
}

}  // namespace

Result<void> run(const CopyParams& params, Ins in, Outs out, Parallel& parallel) {
  const CopyParams c = merged(params);
  for (std::size_t i = 0; i < static_cast<std::size_t>(c.rank); ++i)
    if (c.extent[i] <= 0) return {};
  const bool done = with_element(in[0].type, [&](auto element) {
    using T = decltype(element);
    copy(c, reinterpret_cast<const T*>(in[0].data), reinterpret_cast<T*>(out[0].data), parallel);
  });
  if (done) return {};
  if (!has_conversion(in[0].type)) return Error{Fault::validation, "", "elements of this type cannot be moved", "", {}};
  // Packed elements are spread out, moved and packed again; parts that earlier calls wrote stay.
  std::vector<std::int64_t> from(static_cast<std::size_t>(count(in[0].dims))),
      to(static_cast<std::size_t>(count(out[0].dims)));
  load(in[0].type, in[0].data, 0, static_cast<std::int64_t>(from.size()), from.data());
  load(out[0].type, out[0].data, 0, static_cast<std::int64_t>(to.size()), to.data());
  copy(c, from.data(), to.data(), parallel);
  store(out[0].type, to.data(), static_cast<std::int64_t>(to.size()), out[0].data, 0);
  return {};
}

}  // namespace aegis::kernels
