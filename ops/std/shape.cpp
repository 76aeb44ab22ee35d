#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  const std::int64_t rank = l.rank(l.in(0));
  const auto bound = [&](const char* name, std::int64_t otherwise) {
    const std::int64_t given = attribute(l.node(), name, otherwise);
    const std::int64_t at = given < 0 ? given + rank : given;
    return at < 0 ? 0 : at > rank ? rank : at;
  };
  const std::int64_t start = bound("start", 0), end = bound("end", rank);
  Dims part;
  for (std::int64_t i = start; i < end; ++i) part.push_back(dims[static_cast<std::size_t>(i)]);
  l.alias(l.constant(from_integers({static_cast<std::int64_t>(part.size())}, part)), l.out());
}

}  // namespace

AEGIS_OP(shape) = {
    .name = "Shape",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_node,
};
