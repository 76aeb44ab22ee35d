#include "ops/graph/chains.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/cost/model_cost.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

constexpr int launch_chain_length = 8;  // dependent kernels in a row
constexpr std::size_t shape_chain_length = 2, conv_chain_length = 2;

// Connected components over node ids.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  void join(NodeId a, NodeId b) { parent_[find(index(a))] = find(index(b)); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

 private:
  std::vector<std::size_t> parent_;
};

struct Builder {
  FactTable& table;
  std::vector<PatternInstance>& out;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();

  // The node that makes a value, through views, in the same scope.
  NodeId maker(ValueId value, ScopeId scope) const {
    if (value == ValueId::none) return NodeId::none;
    const NodeId p = model.value(structure.root(value)).producer;
    return p != NodeId::none && model.node(p).scope == scope ? p : NodeId::none;
  }

  // Components of the nodes in `set` that read each other directly or through views, as lists in file order.
  std::vector<std::vector<NodeId>> components(const std::function<bool(NodeId)>& in_set) const {
    Components joined(model.nodes().size());
    for (const NodeId id : structure.order()) {
      if (!in_set(id)) continue;
      for (const ValueId in : model.node(id).inputs)
        if (const NodeId p = maker(in, model.node(id).scope); p != NodeId::none && in_set(p)) joined.join(id, p);
    }
    std::map<std::size_t, std::vector<NodeId>> lists;
    std::vector<std::vector<NodeId>> found;
    for (const NodeId id : structure.order())
      if (in_set(id)) lists[joined.find(index(id))].push_back(id);
    for (auto& [root, list] : lists) found.push_back(std::move(list));
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
      return structure.position(a.front()) < structure.position(b.front());
    });
    return found;
  }

  void add(std::uint32_t kind, std::vector<NodeId> nodes) {
    PatternInstance p{.kind = kind, .flags = AEGIS_PATTERN_COMPLETE, .anchor = nodes.front()};
    p.nodes = std::move(nodes);
    if (!model.node(p.nodes.back()).outputs.empty()) p.out = model.node(p.nodes.back()).outputs[0];
    out.push_back(std::move(p));
  }

  int longest_path(const std::vector<NodeId>& nodes) const {
    std::map<NodeId, int> length;
    int longest = 0;
    for (const NodeId id : nodes) {
      int& mine = length[id] = 1;
      for (const ValueId in : model.node(id).inputs)
        if (const auto it = length.find(maker(in, model.node(id).scope)); it != length.end())
          mine = std::max(mine, it->second + 1);
      longest = std::max(longest, mine);
    }
    return longest;
  }

  void launch_chains() {
    const auto& costs = table.analysis<CostModel>();
    const double launch = table.target().launch_us_stream;
    const auto tiny = [&](NodeId id) {
      const NodeWork& work = costs.work(id);
      const Cost& cost = costs.of(id);
      const double runs = structure.times(model.node(id).scope);
      return work.kernel && work.known() && cost.time_us.op - cost.launch_us.op < launch * runs;
    };
    for (auto& nodes : components(tiny))
      if (longest_path(nodes) >= launch_chain_length) add(AEGIS_PATTERN_LAUNCH_CHAIN, std::move(nodes));
  }

  void shape_chains() {
    const auto shape = [&](NodeId id) { return structure.role(id) == NodeRole::host; };
    for (auto& nodes : components(shape))
      if (nodes.size() >= shape_chain_length) add(AEGIS_PATTERN_SHAPE_CHAIN, std::move(nodes));
  }

  // Convolutions that are connected through nodes that keep the layout.
  void conv_chains() {
    const auto carries = [&](NodeId id) {
      if (table.get<aegis_conv>(id)) return true;
      const Op* op = structure.op(id);
      if (!op || structure.role(id) != NodeRole::kernel) return false;
      return op->cost.kind == CostClass::elementwise || op->cost.kind == CostClass::pool ||
             (op->cost.kind == CostClass::normalise && op->pad == PadRow::instance_norm) ||
             (op->name == "Concat" && op->domain.empty());
    };
    for (auto& nodes : components(carries)) {
      std::erase_if(nodes, [&](NodeId id) {
        const auto* conv = table.get<aegis_conv>(id);
        if (!conv || conv->group != 1 || (conv->flags & AEGIS_CONV_NHWC)) return true;
        return conv->compute != AEGIS_DTYPE_TF32 && storage_bytes(conv->compute) != 2;
      });
      if (nodes.size() >= conv_chain_length) add(AEGIS_PATTERN_CONV_CHAIN, std::move(nodes));
    }
  }

  // Transposes, alone or with only elementwise nodes between them; not those that fold into a product.
  void transpose_chains() {
    const auto transposes = [&](NodeId id) {
      const Node& node = model.node(id);
      return node.op == "Transpose" && node.domain.empty() && structure.role(id) == NodeRole::kernel;
    };
    const auto carries = [&](NodeId id) {
      const Op* op = structure.op(id);
      return transposes(id) ||
             (op && structure.role(id) == NodeRole::kernel && op->cost.kind == CostClass::elementwise);
    };
    for (auto& nodes : components(carries)) {
      std::erase_if(nodes, [&](NodeId id) {
        if (!transposes(id)) return true;
        const Node& node = model.node(id);
        if (!swaps_last_two(table, node)) return false;
        const auto& uses = model.value(node.outputs[0]).uses;  // folds when every reader is a product
        return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
          return use.node != NodeId::none && is_gemm(model.node(use.node));
        });
      });
      if (!nodes.empty()) add(AEGIS_PATTERN_TRANSPOSE_CHAIN, std::move(nodes));
    }
  }
};

}  // namespace

Answer composes_to_identity(const FactTable& table, std::span<const NodeId> transposes) {
  std::vector<std::int64_t> order;
  for (const NodeId id : transposes) {
    const Node& node = table.model().node(id);
    const int rank =
        node.inputs.empty() || node.inputs[0] == ValueId::none ? -1 : table.types().of(node.inputs[0]).rank();
    if (rank < 0) return Answer::unknown;
    auto perm = attribute_ints(node, "perm");
    if (!perm) {
      perm.emplace(static_cast<std::size_t>(rank));
      std::iota(perm->rbegin(), perm->rend(), std::int64_t{0});
    }
    if (order.empty()) {
      order.resize(perm->size());
      std::iota(order.begin(), order.end(), std::int64_t{0});
    }
    if (order.size() != perm->size()) return Answer::no;
    std::vector<std::int64_t> next;
    for (const std::int64_t axis : *perm) {
      if (axis < 0 || axis >= static_cast<std::int64_t>(order.size())) return Answer::unknown;
      next.push_back(order[static_cast<std::size_t>(axis)]);
    }
    order = std::move(next);
  }
  return std::is_sorted(order.begin(), order.end()) ? Answer::yes : Answer::no;
}

Chains::Chains(FactTable& table) {
  Builder builder{table, all_};
  builder.launch_chains();
  builder.shape_chains();
  builder.conv_chains();
  builder.transpose_chains();
}

}  // namespace aegis
