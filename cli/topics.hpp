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

std::span<const Topic* const> topics();
const Topic* find_topic(std::string_view name);

extern const Topic alignment_topic, memory_bound_topic, precision_topic, recomputation_topic;  // cli/topics/*.cpp

}  // namespace aegis
