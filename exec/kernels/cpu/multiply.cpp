// Blocking of the f32 product: columns in blocks of 1024, depth in blocks of 256 (ascending, C is reloaded), rows in
// blocks of a few register tiles. B's block is packed once and shared; threads take pieces of rows and column panels.

#include <algorithm>
#include <vector>

#include "exec/kernels/cpu/gemm_tiles.hpp"

namespace aegis::kernels {
namespace {

constexpr std::int64_t block_columns = 1024, block_depth = 256, row_tiles = 6;

std::int64_t pieces(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }

}  // namespace

void multiply(const GemmJob& job, Parallel& parallel) {
  const TileSet& tiles = tile_set(job.isa);
  const std::int64_t mr = tiles.rows, nr = tiles.columns, block_rows = mr * row_tiles;
  if (job.m == 0 || job.n == 0) return;
  const bool unpacked = job.b_rows != nullptr && job.m <= 4;
  const std::int64_t row_blocks = pieces(job.m, block_rows);
  std::vector<float> b_block;
  if (!unpacked)
    b_block.resize(static_cast<std::size_t>(std::min(block_depth, std::max<std::int64_t>(job.k, 1)) *
                                            pieces(std::min(job.n, block_columns), nr) * nr));

  for (std::int64_t j0 = 0; j0 < job.n; j0 += block_columns) {
    const std::int64_t columns = std::min(block_columns, job.n - j0), panels = pieces(columns, nr);
    for (std::int64_t k0 = 0; k0 == 0 || k0 < job.k; k0 += block_depth) {
      const std::int64_t depth = std::min(block_depth, job.k - k0);
      const bool last = k0 + depth >= job.k;
      if (!unpacked) {
        parallel.run(panels, std::max<std::int64_t>(1, 16384 / (depth * nr + 1)),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t panel = begin; panel < end; ++panel) {
                         const std::int64_t j = panel * nr;
                         job.b(j0 + j, std::min(nr, columns - j), k0, depth, b_block.data() + j * depth, nr);
                       }
                     });
      }
      // Few row blocks: cut the columns as well, so that every thread has work.
      const std::int64_t wanted = parallel.threads() > 1 ? pieces(std::int64_t{parallel.threads()} * 4, row_blocks) : 1;
      const std::int64_t panels_each = pieces(panels, std::min(panels, wanted)), groups = pieces(panels, panels_each);
      const bool worth = job.m * columns * depth > 100000;
      parallel.run(row_blocks * groups, worth ? 1 : row_blocks * groups, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> a_block(static_cast<std::size_t>(block_rows * std::max<std::int64_t>(depth, 1)));
        std::vector<float> edge(static_cast<std::size_t>(mr * nr)), b_edge;
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t i0 = task / groups * block_rows, rows = std::min(block_rows, job.m - i0);
          for (std::int64_t i = 0; i < rows; i += mr) {
            const std::int64_t height = std::min(mr, rows - i);
            job.a(i0 + i, height, k0, depth, a_block.data() + i * depth, height);
          }
          const std::int64_t panel_begin = task % groups * panels_each,
                             panel_end = std::min(panels, panel_begin + panels_each);
          for (std::int64_t panel = panel_begin; panel < panel_end; ++panel) {
            const std::int64_t j = j0 + panel * nr, width = std::min(nr, job.n - j);
            const float* b = unpacked ? nullptr : b_block.data() + panel * nr * depth;
            std::int64_t b_stride = nr;
            if (unpacked && width == nr) {
              b = job.b_rows + k0 * job.b_stride + j;
              b_stride = job.b_stride;
            } else if (unpacked) {
              b_edge.resize(static_cast<std::size_t>(depth * nr));
              job.b(j, width, k0, depth, b_edge.data(), nr);
              b = b_edge.data();
            }
            for (std::int64_t i = 0; i < rows; i += mr) {
              const std::int64_t height = std::min(mr, rows - i);
              const Tile tile = tiles.of_rows[height - 1];
              float* c = job.c + (i0 + i) * job.n + j;
              if (width == nr) {
                tile(depth, a_block.data() + i * depth, b, b_stride, c, job.n);
                continue;
              }
              for (std::int64_t r = 0; r < height; ++r) std::copy_n(c + r * job.n, width, edge.data() + r * nr);
              tile(depth, a_block.data() + i * depth, b, b_stride, edge.data(), nr);
              for (std::int64_t r = 0; r < height; ++r) std::copy_n(edge.data() + r * nr, width, c + r * job.n);
            }
          }
          if (!last || panel_begin >= panel_end) continue;
          const std::int64_t from = j0 + panel_begin * nr, to = std::min(job.n, j0 + panel_end * nr);
          for (std::int64_t i = i0; i < i0 + rows; ++i) job.finish(i, from, to - from);
        }
      });
    }
  }
}

}  // namespace aegis::kernels
