#include "ops/lower.hpp"

using namespace aegis;

namespace {

// [N, C, H/b, b, W/b, b] to [N, b, b, C, H/b, W/b] (DCR) or [N, C, b, b, H/b, W/b] (CRD).
void lower_node(Lowering& l) {
  const Dims& d = l.dims(l.in(0));
  const std::int64_t b = attribute(l.node(), "blocksize", std::int64_t{1});
  if (d.size() != 4 || b < 1 || d[2] % b != 0 || d[3] % b != 0)
    return l.reject("the image does not divide into blocks");
  const SlotId in = l.view(l.in(0), {d[0], d[1], d[2] / b, b, d[3] / b, b});
  const bool crd = attribute(l.node(), "mode", "DCR") == "CRD";
  const SlotId moved =
      l.temp(l.type(in), crd ? Dims{d[0], d[1], b, b, d[2] / b, d[3] / b} : Dims{d[0], b, b, d[1], d[2] / b, d[3] / b});
  l.transpose(in, moved, crd ? Dims{0, 1, 3, 5, 2, 4} : Dims{0, 3, 5, 1, 2, 4});
  l.alias(moved, l.out());
}

}  // namespace

AEGIS_OP(space_to_depth) = {
    .name = "SpaceToDepth",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::depth_to_space,
    .risk = Risk::move,
    .lower = lower_node,
};
