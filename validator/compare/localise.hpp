// Localisation: at which node did it go wrong? Both models run once on one input set on the CPU engine and every value
// of `after` is compared with its counterpart (cumulative error). Each node of `after` whose result differs is then run
// alone on the reference inputs, brought to its types and extents (local error). A node whose own error is beyond what
// its class expects is to blame; one that only passes on what it was given is not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "validator/validate.hpp"

namespace aegis {

struct LocaliseInput {
  const Model* before = nullptr;
  const Model* after = nullptr;
  Feeds feeds_before, feeds_after;
  RunOptions run;
  ChangeClass change = ChangeClass::close;
  double gate_rel_l2 = 0;  // cumulative error beyond which a value counts as spoilt
};

struct Localisation {
  std::optional<FirstBad> first_bad;
  std::vector<std::string> limits;  // what kept it from looking everywhere
};
Result<Localisation> localise(const LocaliseInput& input);

// rel-L2 that one node of a class may add by itself: one rounding for maps, three for products (docs/numerics.md).
double expected_local_error(ChangeClass change, bool product);

}  // namespace aegis
