// What the schema registry cannot say about types: slots whose types the inference functions tie together, operators
// whose listed narrow types do not hold, and attributes that set the type of an output.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/model.hpp"

namespace aegis::recast {

// Why the slot stays FLOAT although its schema lists narrow types; empty when nothing is known against it.
std::string_view fixed_input(const Node& node, std::size_t slot, DType to, std::int64_t opset);
std::string_view fixed_output(const Node& node, std::size_t slot, DType to, std::int64_t opset);

// Every float slot of the node has one type although the schema has several variables.
bool one_type(const Node& node);

// The attribute that names the element type of output 0, as an integer; empty when none does.
struct TypeAttribute {
  std::string_view name;
  bool like_input = false;  // absent: the type of input 0; else absent means FLOAT
};
TypeAttribute type_attribute(const Node& node);

// Codes, not measurements: raising the opset for their sake alone would change integer codes for nothing.
bool asks_for_raise(const Node& node);

// Training: optimisers, gradients, normalisation or dropout in training mode; the reason, or empty.
std::string_view training(const Model& model, const Node& node);

}  // namespace aegis::recast
