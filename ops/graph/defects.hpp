// Defects: what of a model breaks the rules of the format, whatever device it runs on: names that nothing or two things
// define, circles, fields that may stand once, nodes that their schema refuses. In the order of the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct Defect {
  std::uint32_t kind = 0;     // AEGIS_DEFECT_*
  aegis_place at{}, other{};  // `other`: the second place of a clash, a value that is read; else the model
  std::string name;           // a value, a key, an operator; of a refused node, what the schema says
  std::int64_t number = 0;    // readers, nodes, versions or extents: what the kind counts
};

std::vector<Defect> find_defects(const Model& model, const TypeTable& types);

}  // namespace aegis
