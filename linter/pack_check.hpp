// What the ABI asks of a pack's descriptors, so that reading them later cannot go wrong.
#pragma once

#include <optional>
#include <string>

extern "C" {
struct aegis_pack;
}

namespace aegis {

// The first thing that is not as the ABI asks, with what was expected; nullopt when all is well. Runs no code of the
// pack.
std::optional<std::string> pack_problem(const aegis_pack& pack);

}  // namespace aegis
