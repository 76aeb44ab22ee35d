// The choice: which type groups become narrow. One minimum cut makes the most arithmetic narrow that the blocks allow
// and, among those assignments, spends the fewest bytes on Casts.
#pragma once

#include <string>
#include <vector>

#include "rewriter/recast/groups.hpp"

namespace aegis::recast {

struct Choice {
  std::string runtime;  // the one that loads the result, or "schema"
  TypeGroups groups;
  std::vector<char> is_narrow;  // by group
  std::int64_t narrow_flops = 0, cast_bytes = 0;

  bool narrow_at(int group) const {
    return group == narrow || (group >= 0 && is_narrow[static_cast<std::size_t>(group)]);
  }
  bool anything() const;
  // More arithmetic narrow, then fewer bytes.
  bool better_than(const Choice& other) const;
};

// The best choice for the model at its own opset. Runtime "any": the best over the known runtimes that load the whole
// model. Nothing narrow when no runtime does. Errors: an unknown runtime.
Result<Choice> choose(const Model& model, const TypeTable& types, const PrecisionOptions& options);

}  // namespace aegis::recast
