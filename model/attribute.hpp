// Attributes of a node without ONNX's headers. Schema defaults are not filled in: the caller states the default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace aegis {

bool has_attribute(const Node& node, std::string_view name);
std::int64_t attribute(const Node& node, std::string_view name, std::int64_t otherwise);
float attribute(const Node& node, std::string_view name, float otherwise);
std::string attribute(const Node& node, std::string_view name, const char* otherwise);
// Absent, or of another kind: nullopt.
std::optional<std::vector<std::int64_t>> attribute_ints(const Node& node, std::string_view name);
std::optional<std::vector<float>> attribute_floats(const Node& node, std::string_view name);
std::optional<std::vector<std::string>> attribute_strings(const Node& node, std::string_view name);
std::optional<Tensor> attribute_tensor(const Node& node, std::string_view name);

}  // namespace aegis
