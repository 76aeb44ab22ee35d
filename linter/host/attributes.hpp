// Attributes of a node as the plugin line tells them: stored ones, else the defaults of the operator's schema.
#pragma once

#include <aegis/aegis.h>

#include <string_view>

#include "linter/host/arena.hpp"
#include "model/model.hpp"

namespace aegis::host {

// False when the node has no such attribute and its schema no default for it.
bool read_attribute(const Model& model, const Node& node, std::string_view name, Arena& arena, aegis_attribute& out);

// A metadata text of the model, a node or a value; empty when absent.
std::string_view metadata(const Model& model, aegis_place place, std::string_view key);

struct ModelTexts {
  std::string_view producer, producer_version;
};
ModelTexts model_texts(const Model& model);

// Where the exporter says that a node comes from: its metadata or doc string with a Python stack trace in it.
struct SourcePosition {
  std::string_view file, module;
  std::uint64_t line = 0;  // 0: not told
};
SourcePosition source_position(const Node& node);

}  // namespace aegis::host
