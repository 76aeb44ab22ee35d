// Accepted findings: by aegis.toml, or by the model's metadata entry `aegis.suppress`, which travels with the file. The
// entry has a line for each: a code or prefix, a glob over nodes, and the reason: "PR305 /mask/* clamped upstream".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linter/host/draft.hpp"
#include "linter/lint.hpp"

namespace aegis {

class Suppressor {
 public:
  Suppressor(const Model& model, const LintOptions& options);

  const std::vector<Suppression>& all() const { return all_; }
  // The first suppression that covers every node of the draft; expired ones cover nothing.
  std::optional<std::size_t> match(const host::Draft& draft) const;
  bool expired(std::size_t index) const;

 private:
  const Model* model_;
  std::string today_;
  std::vector<Suppression> all_;
};

}  // namespace aegis
