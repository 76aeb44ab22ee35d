// The subjects that `aegis explain` speaks about beside single rules: what it is, the numbers, what Aegis does about
// it.
#pragma once

#include <span>
#include <string_view>

namespace aegis {

struct Topic {
  std::string_view name;     // "memory-bound"
  std::string_view summary;  // one line
  std::string_view text;     // Markdown
};

std::span<const Topic* const> topics();  // generated from cli/topics/*.cpp, sorted by file name
const Topic* find_topic(std::string_view name);

}  // namespace aegis

// Defines the one Topic of a file in cli/topics, in the global namespace.
#define AEGIS_TOPIC(stem)                         \
  extern const ::aegis::Topic aegis_topic_##stem; \
  constinit const ::aegis::Topic aegis_topic_##stem
