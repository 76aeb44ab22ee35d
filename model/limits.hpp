// Limits: how much a file may ask of the loader. What reaches one is refused with IO904, which names the limit, what
// was found and what is allowed; nothing is allocated for it first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/result.hpp"

namespace aegis {

struct Limits {
  std::uint64_t wire_depth = 100;  // messages inside messages; what protobuf itself allows
  std::uint64_t skeleton_bytes = 512ull << 20;
  std::uint64_t nodes = 5'000'000;    // in all scopes
  std::uint64_t tensors = 2'000'000;  // initializers and tensors of attributes, in all scopes
  std::uint64_t functions = 10'000;
  std::uint64_t function_call_depth = 100;
  std::uint64_t subgraph_depth = 64;
  std::uint64_t name_bytes = 64ull << 10;  // of one node, value, operator or attribute name
};

// One limit by its name in [limits], for configuration and messages.
struct LimitRow {
  std::string_view name;
  std::uint64_t Limits::* value;
  std::string_view what;  // "the model holds 7 ..."
};
std::span<const LimitRow> limit_rows();

// IO904 for the limit that `which` points to.
Error limit_reached(const Limits& limits, std::uint64_t Limits::* which, std::uint64_t found, std::string where);

}  // namespace aegis
