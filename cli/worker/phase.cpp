#include "cli/worker/phase.hpp"

namespace aegis {

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::starting: return "starting";
    case Phase::loading: return "loading";
    case Phase::linting: return "linting";
    case Phase::planning: return "planning";
    case Phase::validating: return "validating";
    case Phase::saving: return "saving";
    case Phase::reporting: return "reporting";
  }
  return "working";
}

}  // namespace aegis
