// Structural signatures: two nodes of equal signature do the same work on the same shapes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

// Mixes `value` into `hash`; the order of calls counts.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t x = hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
std::uint64_t mix(std::uint64_t hash, std::string_view text);

class Signatures {
 public:
  explicit Signatures(FactTable& table);
  // Operator, attributes, dims and types of inputs and outputs, which inputs are constants.
  std::uint64_t alone(NodeId id) const { return alone_[static_cast<std::size_t>(id)]; }
  // The same with the operators next to it.
  std::uint64_t placed(NodeId id) const { return placed_[static_cast<std::size_t>(id)]; }

 private:
  std::vector<std::uint64_t> alone_, placed_;
};

}  // namespace aegis
