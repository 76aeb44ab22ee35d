#include "rewriter/recast/propose.hpp"

#include "rewriter/recast/verify.hpp"

namespace aegis::recast {

Result<Materialised> propose(const Model& model, const TypeTable& types, const Choice& choice, DType to) {
  Materialised made = materialise(model, types, choice, to);
  AEGIS_TRY(const Model after, apply(model, {&made.patch, 1}));
  AEGIS_CHECK(verify(after));
  return made;
}

}  // namespace aegis::recast
