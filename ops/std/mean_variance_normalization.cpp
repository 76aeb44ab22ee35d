#include "ops/lower.hpp"

using namespace aegis;

namespace {

// (x - mean) / (sqrt(mean of squares - mean^2) + 1e-9), as the function body of the standard has it.
void lower_node(Lowering& l) {
  const SlotId x = l.in(0);
  const DType between = storage_type(compute_type(l.type(x)));
  Dims kept = l.dims(x);
  std::uint32_t axes = 0;
  for (const std::int64_t given : attribute_ints(l.node(), "axes").value_or(Dims{0, 2, 3})) {
    const int axis = l.axis(given, l.rank(x));
    if (l.failed() || axis > 31) return l.reject("rank above 32");
    axes |= 1u << axis;
    kept[static_cast<std::size_t>(axis)] = 1;
  }
  const auto made = [&](Fn fn, std::initializer_list<SlotId> in, const Dims& dims) {
    const SlotId slot = l.temp(between, dims);
    l.map(fn, in, slot);
    return slot;
  };
  const auto mean_of = [&](SlotId in) {
    const SlotId slot = l.temp(between, kept);
    l.emit(ReduceParams{.kind = ReduceParams::Kind::mean, .axes = axes}, {in}, {slot});
    return slot;
  };
  const SlotId mean = mean_of(x), squares = mean_of(made(Fn::mul, {x, x}, l.dims(x)));
  const SlotId variance = made(Fn::sub, {squares, made(Fn::mul, {mean, mean}, kept)}, kept);
  const SlotId deviation = made(Fn::add, {made(Fn::sqrt, {variance}, kept), l.scalar(between, 1e-9)}, kept);
  l.map(Fn::div, {made(Fn::sub, {x, mean}, l.dims(x)), deviation}, l.out());
}

}  // namespace

AEGIS_OP(mean_variance_normalization) = {
    .name = "MeanVarianceNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::unknown,
    .risk = Risk::norm,
    .lower = lower_node,
};
