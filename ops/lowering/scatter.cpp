#include "ops/lowering/scatter.hpp"

namespace aegis {
namespace {

ScatterParams::Combine combine(Lowering& l) {
  const std::string reduction = attribute(l.node(), "reduction", "none");
  if (reduction == "add") return ScatterParams::Combine::add;
  if (reduction == "mul") return ScatterParams::Combine::mul;
  if (reduction == "max") return ScatterParams::Combine::max;
  if (reduction == "min") return ScatterParams::Combine::min;
  if (reduction != "none") l.reject("this reduction is not handled");
  return ScatterParams::Combine::none;
}

}  // namespace

void lower_scatter_nd(Lowering& l) {
  l.emit(ScatterParams{.mode = ScatterParams::Mode::nd, .combine = combine(l)}, {l.in(0), l.in(1), l.in(2)}, {l.out()});
}

void lower_scatter_elements(Lowering& l) {
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{0}), l.rank(l.in(0)));
  l.emit(ScatterParams{.mode = ScatterParams::Mode::elements, .combine = combine(l), .axis = axis},
         {l.in(0), l.in(1), l.in(2)}, {l.out()});
}

}  // namespace aegis
