// Ids of the things in a Model: 32-bit, typed, append-only. What survives an edit keeps its id.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aegis {

enum class NodeId : std::uint32_t { none = 0xffffffffu };
enum class ValueId : std::uint32_t { none = 0xffffffffu };
enum class ScopeId : std::uint32_t { main = 0, none = 0xffffffffu };

template <class Id>
constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace aegis
