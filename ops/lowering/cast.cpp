#include "ops/lowering/cast.hpp"

namespace aegis {

void lower_cast(Lowering& l) {
  if (l.type(l.in(0)) == DType::string || l.type(l.out()) == DType::string)
    return l.reject("strings are not converted");
  // The constant of `identity`: 1 keeps 8-bit floats from saturating.
  const bool saturate = attribute(l.node(), "saturate", std::int64_t{1}) != 0;
  l.map(Fn::identity, {l.in(0)}, l.out(), {saturate ? 0.0 : 1.0});
}

}  // namespace aegis
