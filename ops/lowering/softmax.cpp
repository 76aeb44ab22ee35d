#include "ops/lowering/softmax.hpp"

namespace aegis {

void lower_softmax(Lowering& l, RowNormParams::Kind kind) {
  const Dims& dims = l.dims(l.in(0));
  const bool one_axis = l.opset() >= 13;
  const auto axis =
      static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{one_axis ? -1 : 1}), l.rank(l.in(0))));
  if (l.failed()) return;
  RowNormParams p{.kind = kind};
  for (std::size_t i = 0; i < dims.size(); ++i)
    (i < axis ? p.outer : i == axis || !one_axis ? p.length : p.inner) *= dims[i];
  l.emit(p, {l.in(0)}, {l.out()});
}

}  // namespace aegis
