#include "ops/lowering/biased.hpp"

namespace aegis {

void lower_biased(Lowering& l, Fn fn, std::array<double, 4> p) {
  SlotId x = l.in(0);
  l.resolve(l.out(), l.type(x), l.dims(x));
  if (l.has(1)) {
    const SlotId sum = l.temp(storage_type(compute_type(l.type(x))), l.dims(x));
    l.map(Fn::add, {x, l.in(1)}, sum);
    x = sum;
  }
  l.map(fn, {x}, l.out(), p);
}

}  // namespace aegis
