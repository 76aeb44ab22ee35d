// Between the words of the plugin line and ours.
#pragma once

#include <aegis/aegis.h>

#include <aegis/rule/lists.hpp>
#include <aegis/rule/text.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "linter/lint.hpp"

namespace aegis::abi {

inline std::string text(const char* text) { return text ? std::string(text) : std::string(); }
using sdk::Items;
using sdk::str;
using sdk::view;

inline Severity severity(aegis_severity severity) {
  switch (severity) {
    case AEGIS_ERROR: return Severity::error;
    case AEGIS_WARNING: return Severity::warning;
    case AEGIS_INFO: return Severity::info;
    default: return Severity::off;
  }
}
inline std::optional<Safety> safety(aegis_safety safety) {
  switch (safety) {
    case AEGIS_EXACT: return Safety::exact;
    case AEGIS_CLOSE: return Safety::close;
    case AEGIS_LOSSY: return Safety::lossy;
    default: return std::nullopt;
  }
}

}  // namespace aegis::abi
