// What a run on one file is doing: said when its worker fails.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace aegis {

enum class Phase : std::uint32_t { starting, loading, linting, planning, validating, saving, reporting };
std::string_view name(Phase phase);  // "loading"

// Says what comes next. In a worker, validating lifts the limits of memory and CPU time for the rest of the job:
// engines map far more than they use, and have limits of their own.
using EnterPhase = std::function<void(Phase)>;

}  // namespace aegis
