// Every element function of `map`, instantiated as a kernel: shows that the one source of the CPU kernels compiles for
// the device. Nothing is launched.
#include <cstdint>

#include "exec/kernels/functors.hpp"
#include "ops/prim.hpp"

namespace {

namespace fn = aegis::functors;

template <class F, class T>
__global__ void map(fn::Constants<T> c, const T* a, const T* b, const T* d, T* out, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if constexpr (F::arity == 1) out[i] = F::of(c, a[i]);
  if constexpr (F::arity == 2) out[i] = F::of(c, a[i], b[i]);
  if constexpr (F::arity == 3) out[i] = F::of(c, a[i], b[i], d[i]);
}

template <class F, class T>
void instantiate() {
  [[maybe_unused]] auto* kernel = &map<F, T>;
}

template <class F>
void instantiate_types() {
  if constexpr (static_cast<int>(F::on) & static_cast<int>(fn::On::floats)) instantiate<F, float>();
  if constexpr (static_cast<int>(F::on) & static_cast<int>(fn::On::integers)) instantiate<F, std::int64_t>();
}

}  // namespace

void instantiate_all() {
#define AEGIS_INSTANTIATE(name) instantiate_types<fn::name>();
  AEGIS_MAP_FUNCTIONS(AEGIS_INSTANTIATE)
#undef AEGIS_INSTANTIATE
}
