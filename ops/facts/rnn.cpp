#include "model/attribute.hpp"
#include "ops/cost/as.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const Node& node = table.model().node(id);
  if (!node.domain.empty()) return nullptr;
  const std::uint32_t gates = node.op == "LSTM" ? 4 : node.op == "GRU" ? 3 : node.op == "RNN" ? 1 : 0;
  if (gates == 0 || node.inputs.size() < 3) return nullptr;
  const ValueId x = node.inputs[0], w = node.inputs[1], r = node.inputs[2];
  if (x == ValueId::none || w == ValueId::none || r == ValueId::none) return nullptr;
  if (table.types().of(x).rank() != 3) return why = AEGIS_UNKNOWN_DIM, nullptr;
  auto* fact = table.make<aegis_rnn>();
  fact->gates = gates;
  fact->directions = attribute(node, "direction", "forward") == "bidirectional" ? 2 : 1;
  const bool batch_first = attribute(node, "layout", std::int64_t{0}) == 1;
  fact->steps = table.extent(x, batch_first ? 1 : 0);
  fact->batch = table.extent(x, batch_first ? 0 : 1);
  fact->input = table.types().of(w).rank() == 3 ? table.extent(w, 2) : table.extent(x, 2);
  fact->hidden = table.extent(r, 2);
  if (fact->hidden.dim.kind == AEGIS_DIM_UNKNOWN && has_attribute(node, "hidden_size"))
    fact->hidden.dim = table.dim(Dim::of(attribute(node, "hidden_size", std::int64_t{0})));
  fact->compute = compute_as(table, table.types().of(x).dtype);
  return fact;
}

}  // namespace

AEGIS_FACT(rnn) = {.id = AEGIS_FACT_RNN, .of_node = of_node};
