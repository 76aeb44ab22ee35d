// A model from text with its facts, for the tests of this folder.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "model/load.hpp"
#include "ops/facts.hpp"

namespace aegis::test {

struct Table {
  Model model;
  TypeTable types;
  Target target;
  std::unique_ptr<FactTable> facts;

  NodeId node(std::string_view name) const {
    for (const Node& node : model.nodes())
      if (node.alive && node.name == name) return node.id;
    FAIL("no node " << name);
    return NodeId::none;
  }
  ValueId value(std::string_view name) const { return model.find(name); }
  template <class T>
  const T* of(std::string_view name, aegis_absence* why = nullptr) const {
    return facts->get<T>(node(name), why);
  }
};

// `text`: a graph; nodes are named by [name]. `as`: the type the model is judged in, empty: as stored.
inline Table table(std::string_view text, std::string_view target = "a100", std::string_view as = "", View view = {},
                   Binding binding = {}) {
  Table t;
  auto model = parse_text(text);
  INFO((model ? std::string() : model.error().message));
  REQUIRE(model);
  t.model = *std::move(model);
  t.types = infer(t.model, binding);
  auto devices = DeviceTable::builtin();
  REQUIRE(devices);
  auto found = devices->find(target);
  REQUIRE(found);
  t.target = *std::move(found);
  if (!as.empty()) view.planned = compute_from_name(as).value();
  t.facts = std::make_unique<FactTable>(t.model, t.types, t.target, view);
  return t;
}

// [m,k] x [k,n], one node called "fc"; the weight is an initializer that a ConstantOfShape makes.
inline std::string matmul(std::int64_t m, std::int64_t k, std::int64_t n) {
  const auto s = [](std::int64_t i) { return std::to_string(i); };
  return "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[" + s(m) + "," + s(k) + "] x) => (float[" + s(m) + "," +
         s(n) + "] y) <int64[2] shape = {" + s(k) + "," + s(n) +
         "}> { [w] w = ConstantOfShape(shape) [fc] y = MatMul(x, w) }";
}

}  // namespace aegis::test
