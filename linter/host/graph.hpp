// The model in the structs of the plugin line: built once for a view, shared by all its checks, never changed. Ids are
// those of the Model.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "ops/facts.hpp"

namespace aegis::host {

class Graph {
 public:
  explicit Graph(FactTable& facts);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const aegis_model_info& model() const { return model_; }
  // Null for an id that is not there or not alive.
  const aegis_node_info* node(aegis_node node) const { return at(nodes_, node.id); }
  const aegis_value_info* value(aegis_value value) const { return at(values_, value.id); }
  const aegis_scope_info* scope(aegis_scope scope) const { return at(scopes_, scope.id); }
  aegis_scopes scopes() const { return {scope_ids_.data(), scope_ids_.size()}; }
  // In file order, outer scopes first. "MatMul", "com.microsoft::FusedMatMul"; empty: all.
  aegis_nodes nodes(std::string_view op) const;

 private:
  template <class Info>
  static const Info* at(const std::vector<Info>& infos, std::uint32_t id) {
    return id < infos.size() && infos[id].struct_size != 0 ? &infos[id] : nullptr;
  }
  void add_values(FactTable& facts);
  void add_nodes(FactTable& facts);
  void add_scopes(FactTable& facts);
  void set_model(const Model& model);
  aegis_values pool(std::span<const ValueId> ids);
  aegis_nodes pool(std::span<const NodeId> ids);

  aegis_model_info model_{};
  std::vector<aegis_node_info> nodes_;    // by NodeId; struct_size 0: not there
  std::vector<aegis_value_info> values_;  // by ValueId
  std::vector<aegis_scope_info> scopes_;  // by ScopeId
  std::vector<aegis_scope> scope_ids_;
  std::vector<aegis_node> all_;
  std::map<std::string, std::vector<aegis_node>, std::less<>> by_op_;
  // What the infos point to; growth of the outer list moves no inner element.
  std::vector<std::vector<aegis_value>> value_lists_;
  std::vector<std::vector<aegis_node>> node_lists_;
  std::vector<std::vector<aegis_scope>> scope_lists_;
  std::vector<std::vector<aegis_dim>> dims_;
  std::vector<std::vector<aegis_use>> uses_;
  std::deque<std::string> texts_;
  std::vector<aegis_opset_import> opsets_;
};

}  // namespace aegis::host
