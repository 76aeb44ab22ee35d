// A whole command in one worker process, for verbs that work on one file.
#pragma once

#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/worker/pool.hpp"

namespace aegis {

// What command.run returns, writes to standard error and puts into the document. A worker that fails is an Error IO908.
Result<Exit> run_isolated(const Command& command, const Settings& settings, const WorkerLimits& limits, Io& io,
                          Json& document);

}  // namespace aegis
