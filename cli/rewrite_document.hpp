// What a rewrite did, as the document says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "model/model.hpp"
#include "model/save.hpp"
#include "ops/infer.hpp"
#include "rewriter/plan.hpp"

namespace aegis {

// One entry of models[] with the keys of the contract: "output", "loads_in" and "validation" are left null or empty.
Json rewrite_json(const std::string& path, const Model& before, const RewriteRequest& request,
                  const RewriteOutcome& outcome);
// Enters what was written.
void add_saved(const Saved& saved, const std::string& path, Json& entry);
// The entry of a file that could not be used.
Json rewrite_error_json(const std::string& path, const Error& error);

}  // namespace aegis
