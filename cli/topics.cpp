#include "cli/topics.hpp"

namespace aegis {

const Topic* find_topic(std::string_view name) {
  for (const Topic* topic : topics())
    if (topic->name == name) return topic;
  return nullptr;
}

}  // namespace aegis
