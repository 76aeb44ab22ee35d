// What the rules on unaligned K and N of a matrix product share: one dim off the target's multiple, and what padding
// wins.
#pragma once

#include <aegis/rule.hpp>

namespace aegis::sdk {

// `dim`: AEGIS_N or AEGIS_K. Silent about small products, those inside an attention, and where padding wins nothing.
inline void report_unaligned(Context& cx, Node node, std::uint32_t dim) {
  const auto* gemm = cx.fact<aegis_gemm>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!gemm || !align || align->kind != AEGIS_ALIGN_SOFT || some(gemm->core)) return;
  if (!(gemm->flags & AEGIS_GEMM_SIZED) || !(align->off_tier1 & dim)) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = dim, .multiple = align->tier1});
  if (!pad) return;
  const aegis_extent& extent = dim == AEGIS_K ? gemm->k : gemm->n;
  cx.finding(node)
      .message("{} is {}, not a multiple of {}", dim == AEGIS_K ? "K" : "N", cx.text(extent), align->tier1)
      .standard(node)
      .padding(*pad)
      .request(PadDim{.dim = extent, .multiple = align->tier1}, Safety::close);
}

}  // namespace aegis::sdk
