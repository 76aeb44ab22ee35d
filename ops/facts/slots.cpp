#include <bit>
#include <map>

#include "ops/fact.hpp"
#include "ops/graph/schemas.hpp"

using namespace aegis;

namespace {

constexpr std::uint64_t bit(DType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }
constexpr std::uint64_t floats = bit(DType::f32) | bit(DType::f16) | bit(DType::bf16) | bit(DType::f64);

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const Model& model = table.model();
  const Node& node = model.node(id);
  const auto& schema = table.analysis<Schemas>().types(node, model.opset(node.domain));
  if (!schema) return why = AEGIS_UNKNOWN_OP, nullptr;
  std::map<int, int> bound;  // slots that are there, by type variable
  const auto count = [&](const std::vector<ValueId>& values, const std::vector<SlotTypes>& types) {
    for (std::size_t i = 0; i < values.size() && i < types.size(); ++i)
      if (values[i] != ValueId::none && types[i].variable >= 0 && !types[i].variadic_free) ++bound[types[i].variable];
  };
  count(node.inputs, schema->inputs);
  count(node.outputs, schema->outputs);

  auto* fact = table.make<aegis_slots>();
  std::vector<aegis_slot> list;
  std::map<int, DType> first_float;
  const auto add = [&](const std::vector<ValueId>& values, const std::vector<SlotTypes>& types, bool output) {
    for (std::size_t i = 0; i < values.size() && i < types.size(); ++i) {
      const SlotTypes& slot = types[i];
      aegis_slot out{};
      out.index = static_cast<std::uint32_t>(i);
      out.variable = slot.variable;
      out.value = handle(values[i]);
      out.allowed = slot.allowed;
      if (output) out.flags |= AEGIS_SLOT_OUTPUT;
      if (values[i] == ValueId::none) out.flags |= AEGIS_SLOT_OMITTED;
      const bool varies = std::popcount(slot.allowed & floats) > 1;  // more than one float type
      if (varies && (slot.variadic_free || slot.variable < 0 || bound[slot.variable] == 1))
        out.flags |= AEGIS_SLOT_FREE;
      if ((slot.allowed & floats) == bit(DType::f32)) out.flags |= AEGIS_SLOT_FLOAT_ONLY;
      if (values[i] != ValueId::none) {
        const DType type = table.types().of(values[i]).dtype;
        out.dtype = compute_of(type);
        if (is_float(type) && slot.variable >= 0 && !slot.variadic_free) {
          const auto [it, fresh] = first_float.try_emplace(slot.variable, type);
          if (!fresh && it->second != type) fact->mixed = 1;
        }
      }
      list.push_back(out);
    }
  };
  add(node.inputs, schema->inputs, false);
  add(node.outputs, schema->outputs, true);
  fact->list = table.list<aegis_slot>(list);
  return fact;
}

}  // namespace

AEGIS_FACT(slots) = {.id = AEGIS_FACT_SLOTS, .of_node = of_node};
