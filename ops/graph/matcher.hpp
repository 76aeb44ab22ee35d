// Small steps for matching patterns: producers, readers, constants.
#pragma once

#include <optional>
#include <string_view>

#include "ops/facts.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {

struct Matcher {
  explicit Matcher(FactTable& t) : table(t), model(t.model()), structure(t.analysis<Structure>()) {}

  FactTable& table;
  const Model& model;
  const Structure& structure;

  // A node of ai.onnx with this operator.
  bool is(NodeId id, std::string_view op) const {
    return id != NodeId::none && model.node(id).op == op && model.node(id).domain.empty();
  }
  NodeId producer(ValueId value) const { return value == ValueId::none ? NodeId::none : model.value(value).producer; }
  ValueId input(NodeId id, std::size_t slot) const {
    const auto& inputs = model.node(id).inputs;
    return slot < inputs.size() ? inputs[slot] : ValueId::none;
  }
  ValueId output(NodeId id) const {
    const auto& outputs = model.node(id).outputs;
    return outputs.empty() ? ValueId::none : outputs[0];
  }
  // The reader of a value with this operator; none when there is none.
  NodeId reader(ValueId value, std::string_view op) const {
    if (value == ValueId::none) return NodeId::none;
    for (const Use& use : model.value(value).uses)
      if (is(use.node, op)) return use.node;
    return NodeId::none;
  }
  // The other input of a node with two; none when `value` is not one of them.
  ValueId other(NodeId id, ValueId value) const {
    if (input(id, 0) == value) return input(id, 1);
    return input(id, 1) == value ? input(id, 0) : ValueId::none;
  }
  std::optional<double> number(ValueId value) const { return scalar(table, value); }
  bool is_number(ValueId value, double wanted, double relative = 1e-3) const {
    const auto n = number(value);
    return n && *n - wanted <= relative * wanted && wanted - *n <= relative * wanted;
  }
};

}  // namespace aegis
