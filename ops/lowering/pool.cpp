#include "ops/lowering/pool.hpp"

#include "ops/lowering/window.hpp"

namespace aegis {

void lower_pool(Lowering& l, PoolParams::Kind kind) {
  const auto kernel = attribute_ints(l.node(), "kernel_shape");
  if (!kernel) return l.reject("kernel_shape is missing");
  const auto w = window(l, l.in(0), l.out(), *kernel, false);
  if (!w) return;
  PoolParams p{.kind = kind, .spatial = w->spatial};
  p.planes = l.dims(l.in(0))[0] * l.dims(l.in(0))[1];
  p.in = w->in;
  p.kernel = w->kernel;
  p.stride = w->stride;
  p.dilation = w->dilation;
  p.pad = w->pad;
  p.pad_end = w->pad_end;
  p.out = w->out;
  p.include_pad = attribute(l.node(), "count_include_pad", std::int64_t{0}) != 0;
  p.column_major = attribute(l.node(), "storage_order", std::int64_t{0}) != 0;
  p.p = static_cast<int>(attribute(l.node(), "p", std::int64_t{2}));
  l.emit(p, {l.in(0)}, {l.out(0), l.out(1)});
}

}  // namespace aegis
