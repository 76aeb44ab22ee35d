// What a rule is called for in a view: its nodes, groups, or the model.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "linter/abi.hpp"
#include "linter/host/view.hpp"
#include "linter/rules.hpp"

namespace aegis::host {

// In file order, each once. The lists they point to live as long as the view's facts.
std::vector<aegis_unit> units_of(const Rule& rule, const ViewState& view);

// "layer_norm" -> AEGIS_PATTERN_LAYER_NORM; nullopt for another word.
std::optional<std::uint32_t> pattern_kind(std::string_view name);

}  // namespace aegis::host
