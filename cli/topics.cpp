#include "cli/topics.hpp"

namespace aegis {
namespace {
constexpr const Topic* table[] = {&alignment_topic, &memory_bound_topic, &precision_topic, &recomputation_topic};
}  // namespace

std::span<const Topic* const> topics() { return table; }

const Topic* find_topic(std::string_view name) {
  for (const Topic* topic : table)
    if (topic->name == name) return topic;
  return nullptr;
}

}  // namespace aegis
