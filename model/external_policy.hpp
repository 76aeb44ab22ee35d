// Which files a model may name as the place of its weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aegis {

enum class ExternalPolicy : std::uint8_t {
  hf,       // in the model's folder, or where the folder of the model's real path leads (caches made of links)
  beneath,  // in the model's folder; links may not leave it
  strict,   // no links at all, and one name only
  none,     // nothing is opened
};
std::string_view name(ExternalPolicy policy);
std::optional<ExternalPolicy> external_policy_from_name(std::string_view text);

}  // namespace aegis
