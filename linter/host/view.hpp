// What all checks of one view share: the model in the plugin line's structs, its facts, the hardware.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <span>
#include <vector>

#include "linter/host/graph.hpp"
#include "ops/facts.hpp"

namespace aegis::host {

class ViewState {
 public:
  // `facts` is borrowed and must outlive the view.
  explicit ViewState(FactTable& facts);
  ViewState(const ViewState&) = delete;
  ViewState& operator=(const ViewState&) = delete;

  FactTable& facts() const { return *facts_; }
  const Graph& graph() const { return graph_; }
  const aegis_view& info() const { return info_; }
  const aegis_target& target() const { return target_; }
  const aegis_rate* rate(aegis_dtype dtype) const;

  // The nodes of a group, or the anchors of the copies of a pattern, in file order; empty for a wrong id.
  std::span<const aegis_node> members(aegis_group group) const;
  // The hash of a node's structural group; 0 for no node.
  std::uint64_t structure(aegis_node node) const;

 private:
  FactTable* facts_;
  Graph graph_;
  aegis_view info_{};
  aegis_target target_{};
  std::vector<aegis_rate> rates_;
  std::vector<aegis_tile> tiles_;
};

}  // namespace aegis::host
