// What the schemas of a model's operators say, each asked for once: many nodes are alike, and ONNX's registry walks its
// tables by name at every question. Safe for many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>

#include "ops/facts.hpp"

namespace aegis {

class Schemas {
 public:
  explicit Schemas(const FactTable&) {}

  // As the functions of these names in ops/infer.hpp.
  const std::optional<SchemaTypes>& types(const Node& node, std::int64_t opset) const;
  int since_version(const Node& node, std::int64_t opset) const;

 private:
  using Operator = std::tuple<std::string_view, std::string_view, std::int64_t>;  // name, domain, opset
  using Slots = std::pair<std::size_t, std::size_t>;                              // inputs, outputs

  mutable std::mutex mutex_;
  mutable std::map<std::pair<Operator, Slots>, std::optional<SchemaTypes>> types_;
  mutable std::map<Operator, int> versions_;
};

}  // namespace aegis
