// The register tiles of the f32 product, one set per instruction set, all with the same bits.
#pragma once

#include <cstdint>

#include "exec/kernels/gemm.hpp"

namespace aegis::kernels {

// c[rows, columns] += a * b: a is a panel [depth][rows], b rows stand b_stride apart.
using Tile = void (*)(std::int64_t depth, const float* a, const float* b, std::int64_t b_stride, float* c,
                      std::int64_t c_stride);

inline constexpr int most_rows = 12;
struct TileSet {
  int rows = 0, columns = 0;
  Tile of_rows[most_rows] = {};  // [r - 1]: the tile of r rows
};
const TileSet& tile_set(Isa isa);

}  // namespace aegis::kernels
