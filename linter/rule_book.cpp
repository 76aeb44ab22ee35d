#include "linter/rule_book.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aegis {

RuleBook::RuleBook() {
  for (const Rule& rule : aegis::rules()) rules_.push_back(&rule);
}

Result<void> RuleBook::add(std::shared_ptr<const Pack> pack) {
  for (const Rule& rule : pack->rules()) {
    const Rule* known = find(rule.code);
    if (!known) known = find(rule.name);
    if (known)
      return Error{.fault = Fault::usage,
                   .message = fmt::format("its rule {} {} has the code or the name of {} {}, which is there already; "
                                          "expected one of its own",
                                          rule.code, rule.name, known->code, known->name),
                   .where = pack->path()};
  }
  for (const Rule& rule : pack->rules()) rules_.push_back(&rule);
  std::ranges::sort(rules_, {}, &Rule::code);
  packs_.push_back(std::move(pack));
  return {};
}

const Rule* RuleBook::find(std::string_view code_or_name) const {
  for (const Rule* rule : rules_) {
    if (rule->code == code_or_name || rule->name == code_or_name) return rule;
  }
  return nullptr;
}

const RuleBook& book_of(const LintOptions& options) {
  static const RuleBook own;
  return options.book ? *options.book : own;
}

}  // namespace aegis
