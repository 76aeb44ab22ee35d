#include "exec/kernels/cpu/gemm_tiles.hpp"

#include <utility>

namespace aegis::kernels {
namespace {

namespace generic {
#define AEGIS_TARGET
#define AEGIS_WIDTH 4
#define AEGIS_ROWS 4
#include "exec/kernels/cpu/gemm_tile.inc"
#undef AEGIS_TARGET
#undef AEGIS_WIDTH
#undef AEGIS_ROWS
}  // namespace generic

#ifdef __x86_64__
namespace avx2 {
#define AEGIS_TARGET __attribute__((target("avx2")))
#define AEGIS_WIDTH 8
#define AEGIS_ROWS 6
#include "exec/kernels/cpu/gemm_tile.inc"
#undef AEGIS_TARGET
#undef AEGIS_WIDTH
#undef AEGIS_ROWS
}  // namespace avx2
namespace avx512 {
#define AEGIS_TARGET __attribute__((target("avx512f")))
#define AEGIS_WIDTH 16
#define AEGIS_ROWS 12
#include "exec/kernels/cpu/gemm_tile.inc"
#undef AEGIS_TARGET
#undef AEGIS_WIDTH
#undef AEGIS_ROWS
}  // namespace avx512
#endif

}  // namespace

#ifdef __x86_64__
Isa best_isa() {
  if (__builtin_cpu_supports("avx512f")) return Isa::avx512;
  return __builtin_cpu_supports("avx2") ? Isa::avx2 : Isa::generic;
}
const TileSet& tile_set(Isa isa) {
  return isa == Isa::avx512 ? avx512::tiles : isa == Isa::avx2 ? avx2::tiles : generic::tiles;
}
#else
Isa best_isa() { return Isa::generic; }
const TileSet& tile_set(Isa) { return generic::tiles; }
#endif

}  // namespace aegis::kernels
