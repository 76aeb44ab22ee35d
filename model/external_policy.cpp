#include "model/external_policy.hpp"

#include <algorithm>
#include <array>

namespace aegis {

namespace {
constexpr std::array<std::string_view, 4> names = {"hf", "beneath", "strict", "none"};
}

std::string_view name(ExternalPolicy policy) { return names[static_cast<std::size_t>(policy)]; }

std::optional<ExternalPolicy> external_policy_from_name(std::string_view text) {
  const auto* found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<ExternalPolicy>(found - names.begin());
}

}  // namespace aegis
