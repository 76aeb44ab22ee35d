// RuleBook: the rules of one run, the program's own and those of packs.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "linter/pack.hpp"
#include "linter/rules.hpp"
#include "model/result.hpp"

namespace aegis {

class RuleBook {
 public:
  RuleBook();  // the program's own
  // Errors (usage): a code that the book has already; the book stays as it was.
  Result<void> add(std::shared_ptr<const Pack> pack);

  std::span<const Rule* const> rules() const { return rules_; }  // by code
  // By code ("AL101") or name ("unaligned_gemm_k"); null when unknown.
  const Rule* find(std::string_view code_or_name) const;
  std::span<const std::shared_ptr<const Pack>> packs() const { return packs_; }

 private:
  std::vector<const Rule*> rules_;
  std::vector<std::shared_ptr<const Pack>> packs_;
};

// The book of a run: what the options name, or the program's own rules.
const RuleBook& book_of(const LintOptions& options);

}  // namespace aegis
