#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Each axis of extent d repeated r times is walked as two: r with stride 0, then d.
void lower_node(Lowering& l) {
  const SlotId in = l.in(0), out = l.out();
  const Dims in_strides = strides(l.dims(in)), out_strides = strides(l.dims(out));
  CopyParams copy;
  for (std::size_t i = 0; i < in_strides.size(); ++i) {
    const std::int64_t extent = l.dims(in)[i], repeats = extent ? l.dims(out)[i] / extent : 0;
    for (const bool outer : {true, false}) {
      if ((outer ? repeats : extent) == 1) continue;
      if (copy.rank == max_rank) return l.reject("too many axes");
      const auto at = static_cast<std::size_t>(copy.rank++);
      copy.extent[at] = outer ? repeats : extent;
      copy.in_stride[at] = outer ? 0 : in_strides[i];
      copy.out_stride[at] = outer ? out_strides[i] * extent : out_strides[i];
    }
  }
  l.emit(copy, {in}, {out});
}

}  // namespace

AEGIS_OP(tile) = {
    .name = "Tile",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::tile,
    .risk = Risk::move,
    .lower = lower_node,
};
