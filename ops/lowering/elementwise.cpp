// Lowerings that many element-wise operators share.

#include "ops/lower.hpp"

namespace aegis {

void lower_binary(Lowering& l, Fn fn) {
  SlotId second = l.in(1);
  // Before opset 7 the second operand matched the first from `axis` on, not from the right.
  if (l.opset() < 7 && has_attribute(l.node(), "axis") && l.rank(second) > 0) {
    Dims dims(static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(l.in(0)))), 1);
    dims.insert(dims.end(), l.dims(second).begin(), l.dims(second).end());
    dims.resize(l.dims(l.in(0)).size(), 1);
    if (element_count(dims) != l.elements(second)) return l.reject("the second operand does not fit at axis");
    second = l.view(second, dims);
  }
  l.map(fn, {l.in(0), second}, l.out());
}

void lower_variadic(Lowering& l, Fn fn, bool mean) {
  const SlotId out = l.out();
  const DType between = storage_type(compute_type(l.type(out)));
  const std::size_t count = l.inputs();
  SlotId so_far = l.in(0);
  if (count == 1) return l.map(Fn::identity, {so_far}, out);
  for (std::size_t i = 1; i < count; ++i) {
    const bool last = i + 1 == count && !mean;
    const SlotId next = last ? out : l.temp(between, l.dims(out));
    l.map(fn, {so_far, l.in(i)}, next);
    so_far = next;
  }
  if (mean) l.map(Fn::divide_by, {so_far}, out, {static_cast<double>(count)});
}

}  // namespace aegis
