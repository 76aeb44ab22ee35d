// What both models show to the outside must be the same: the inputs they take and the outputs they give.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "model/model.hpp"
#include "model/result.hpp"
#include "validator/inputs/input_spec.hpp"

namespace aegis {

// Inputs are matched by name, else by position; outputs by position.
struct Interface {
  struct Input {
    std::string before, after;
    DType before_type = DType::undefined, after_type = DType::undefined;
  };
  std::vector<Input> inputs;
};
// Errors (validation): another number of inputs or outputs, types that no rounding connects.
Result<Interface> match_interface(const Model& before, const Model& after, std::span<const InputSpec> specs_before,
                                  std::span<const InputSpec> specs_after);

struct PairedFeeds {
  Feeds before, after;
};
// The same numbers for both: where one model takes a narrower float, both get the rounded values.
Result<PairedFeeds> pair_feeds(const Feeds& feeds, const Interface& interface);

}  // namespace aegis
