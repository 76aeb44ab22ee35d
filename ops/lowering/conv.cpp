#include "ops/lowering/conv.hpp"

#include "ops/lowering/window.hpp"

namespace aegis {

void lower_conv(Lowering& l, bool transposed) {
  const Dims &x = l.dims(l.in(0)), &weights = l.dims(l.in(1));
  if (weights.size() != x.size() || x.size() < 3) return l.reject("the weights do not have the axes of the data");
  const auto w = window(l, l.in(0), l.out(), std::span(weights).subspan(2), transposed);
  if (!w) return;
  ConvParams p{.transposed = transposed, .spatial = w->spatial};
  p.batch = x[0];
  p.channels = x[1];
  p.filters = l.dims(l.out())[1];
  p.groups = attribute(l.node(), "group", std::int64_t{1});
  if (p.groups < 1 || p.channels % p.groups != 0 || p.filters % p.groups != 0)
    return l.reject("the channels do not divide into the groups");
  const std::int64_t rows = transposed ? p.channels : p.filters,
                     columns = (transposed ? p.filters : p.channels) / p.groups;
  if (weights[0] != rows || weights[1] != columns) return l.reject("the weights do not fit the channels and groups");
  if (l.has(2) && l.elements(l.in(2)) != p.filters) return l.reject("the bias must have one element per filter");
  p.in = w->in;
  p.kernel = w->kernel;
  p.stride = w->stride;
  p.dilation = w->dilation;
  p.pad = w->pad;
  p.out = w->out;
  l.emit(p, {l.in(0), l.in(1), l.in(2)}, {l.out()});
}

}  // namespace aegis
