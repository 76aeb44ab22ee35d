#include "ops/lower.hpp"

using namespace aegis;

namespace {

// [N, b, b, C, H, W] (DCR) or [N, C, b, b, H, W] (CRD) to [N, C, H, b, W, b].
void lower_node(Lowering& l) {
  const Dims& d = l.dims(l.in(0));
  const std::int64_t b = attribute(l.node(), "blocksize", std::int64_t{1});
  if (d.size() != 4 || b < 1 || d[1] % (b * b) != 0) return l.reject("the channels do not divide into blocks");
  const bool crd = attribute(l.node(), "mode", "DCR") == "CRD";
  const std::int64_t c = d[1] / (b * b);
  const SlotId in = l.view(l.in(0), crd ? Dims{d[0], c, b, b, d[2], d[3]} : Dims{d[0], b, b, c, d[2], d[3]});
  const SlotId moved = l.temp(l.type(in), {d[0], c, d[2], b, d[3], b});
  l.transpose(in, moved, crd ? Dims{0, 1, 4, 2, 5, 3} : Dims{0, 3, 4, 1, 5, 2});
  l.alias(moved, l.out());
}

}  // namespace

AEGIS_OP(depth_to_space) = {
    .name = "DepthToSpace",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::depth_to_space,
    .risk = Risk::move,
    .lower = lower_node,
};
