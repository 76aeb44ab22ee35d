#include "linter/suppress.hpp"

#include <algorithm>

#include "linter/host/attributes.hpp"
#include "linter/match.hpp"

namespace aegis {

static std::string_view word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view out = line.substr(0, end);
  line.remove_prefix(end);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return out;
}

static std::vector<Suppression> from_metadata(std::string_view text) {
  std::vector<Suppression> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Suppression suppression;
    suppression.rule = word(line);
    suppression.node = word(line);
    suppression.reason = line;
    suppression.origin = "metadata aegis.suppress";
    if (!suppression.rule.empty() && !suppression.reason.empty()) out.push_back(std::move(suppression));
  }
  return out;
}

Suppressor::Suppressor(const Model& model, const LintOptions& options)
    : model_(&model), today_(options.today), all_(options.suppressions) {
  auto own = from_metadata(host::metadata(model, {AEGIS_PLACE_MODEL, 0}, "aegis.suppress"));
  all_.insert(all_.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
}

bool Suppressor::expired(std::size_t index) const {
  const std::string& expires = all_[index].expires;
  return !expires.empty() && !today_.empty() && expires < today_;  // both are year-month-day
}

static bool covers(const Model& model, const std::string& glob, std::uint32_t id) {
  const Node& node = model.nodes()[id];
  const std::string name = label(model, node.id);
  if (glob_match(glob, name)) return true;
  const std::string& scope = model.scope(node.scope).path;
  return glob_match(glob, (scope == "/" ? "" : scope) + "/" + name);
}

static std::vector<std::uint32_t> nodes_of(const Model& model, const host::Draft& draft) {
  std::vector<std::uint32_t> out;
  for (const aegis_node node : draft.members) out.push_back(node.id);
  if (!out.empty() || draft.anchor.kind != AEGIS_PLACE_VALUE) return out;
  const NodeId producer = model.values()[draft.anchor.id].producer;
  if (producer != NodeId::none) out.push_back(static_cast<std::uint32_t>(producer));
  return out;
}

std::optional<std::size_t> Suppressor::match(const host::Draft& draft) const {
  const auto nodes = nodes_of(*model_, draft);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Suppression& suppression = all_[i];
    if (!draft.rule->code.starts_with(suppression.rule) || expired(i)) continue;
    const bool all = nodes.empty()
                         ? glob_match(suppression.node, "")
                         : std::ranges::all_of(nodes, [&](auto id) { return covers(*model_, suppression.node, id); });
    if (all) return i;
  }
  return std::nullopt;
}

}  // namespace aegis
