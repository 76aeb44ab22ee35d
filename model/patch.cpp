#include "model/patch.hpp"

#include <fmt/format.h>

namespace aegis {

std::string_view name(Safety safety) {
  switch (safety) {
    case Safety::exact: return "exact";
    case Safety::close: return "close";
    case Safety::lossy: return "lossy";
  }
  return "lossy";
}

std::string FreshNames::make(std::string_view base) {
  for (;;) {
    auto [it, first] = given_.try_emplace(std::string(base), 0);
    std::string name = it->second == 0 ? std::string(base) : fmt::format("{}_{}", base, it->second);
    ++it->second;
    if (model_->name_taken(name) || (name != base && given_.contains(name))) continue;
    if (name != base) given_.emplace(name, 1);
    return name;
  }
}

}  // namespace aegis
