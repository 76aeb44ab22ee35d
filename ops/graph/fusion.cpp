// How groups are made, in the order of strength: attention cores; norms and softmax written out; a product with the
// elementwise nodes after it (its epilogue), the DequantizeLinear and last-two Transpose before it; then elementwise
// nodes, norms and reductions of equal extent that read each other. A group never has a path that leaves it and comes
// back. Borders: graph outputs, control flow, host nodes, operators that are not known here.
#include "ops/graph/fusion.hpp"

#include <algorithm>
#include <set>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/graph/attention.hpp"
#include "ops/graph/patterns.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

constexpr std::size_t search_limit = 512;  // nodes looked at when a way around a group is sought

struct Draft {
  std::uint32_t kind = AEGIS_FUSION_ALONE;
  std::vector<NodeId> nodes = {};
  std::int64_t elements = -1;                       // of the tensors that run through it
  bool open = false;                                // further elementwise nodes may join
  bool norm = false;                                // holds a norm already
  std::uint32_t lowest = 0xffffffffu, highest = 0;  // positions of its nodes
};

struct Builder {
  FactTable& table;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();
  std::vector<int> of = std::vector<int>(table.model().nodes().size(), -1);
  std::vector<Draft> drafts = {};

  CostClass kind(NodeId id) const {
    const Op* op = structure.op(id);
    return op ? op->cost.kind : CostClass::unknown;
  }
  bool kernel(NodeId id) const { return structure.role(id) == NodeRole::kernel; }
  bool free_kernel(NodeId id) const { return id != NodeId::none && kernel(id) && of[index(id)] < 0; }
  bool product(NodeId id) const {
    const CostClass c = kind(id);
    return c == CostClass::gemm || c == CostClass::conv || is_gemm(model.node(id));
  }
  std::int64_t elements(ValueId value) const {
    return value == ValueId::none ? -1 : structure.elements(value).value_or(-1);
  }
  std::int64_t output_elements(NodeId id) const {
    const auto& outputs = model.node(id).outputs;
    return outputs.empty() ? -1 : elements(outputs[0]);
  }

  int add(Draft draft) {
    const int id = static_cast<int>(drafts.size());
    for (const NodeId node : draft.nodes) {
      of[index(node)] = id;
      widen(draft, node);
    }
    drafts.push_back(std::move(draft));
    return id;
  }
  void join(int group, NodeId node) {
    of[index(node)] = group;
    drafts[static_cast<std::size_t>(group)].nodes.push_back(node);
    widen(drafts[static_cast<std::size_t>(group)], node);
  }
  void widen(Draft& draft, NodeId node) const {
    draft.lowest = std::min(draft.lowest, structure.position(node));
    draft.highest = std::max(draft.highest, structure.position(node));
  }
  void merge(int into, int from) {
    Draft& a = drafts[static_cast<std::size_t>(into)];
    Draft& b = drafts[static_cast<std::size_t>(from)];
    for (const NodeId node : b.nodes) of[index(node)] = into;
    a.nodes.insert(a.nodes.end(), b.nodes.begin(), b.nodes.end());
    a.norm = a.norm || b.norm;
    a.lowest = std::min(a.lowest, b.lowest);
    a.highest = std::max(a.highest, b.highest);
    if (b.norm) a.kind = b.kind;
    b.nodes.clear();
  }

  // The node that makes a value, through views.
  NodeId maker(ValueId value) const {
    return value == ValueId::none ? NodeId::none : model.value(structure.root(value)).producer;
  }

  // Can any of `from` be reached backwards from the inputs of `of_group` on a way outside both?
  bool way_around(int from, int to) const {
    const auto& start = drafts[static_cast<std::size_t>(to)].nodes;
    const std::uint32_t lowest = drafts[static_cast<std::size_t>(from)].lowest;
    if (drafts[static_cast<std::size_t>(to)].highest < lowest) return false;
    std::set<NodeId> seen;
    std::vector<NodeId> stack;
    const auto visit = [&](NodeId id, bool direct) {
      for (const ValueId in : model.node(id).inputs) {
        const NodeId p = in == ValueId::none ? NodeId::none : model.value(in).producer;
        if (p == NodeId::none || structure.position(p) < lowest) continue;
        const int group = of[index(p)];
        if (group == to || (direct && group == from)) continue;
        if (seen.insert(p).second) stack.push_back(p);
      }
    };
    for (const NodeId id : start) visit(id, true);
    while (!stack.empty()) {
      if (seen.size() > search_limit) return true;
      const NodeId id = stack.back();
      stack.pop_back();
      if (of[index(id)] == from) return true;
      // A view right behind the group is part of the direct edge.
      visit(id, structure.role(id) == NodeRole::view && of[index(id)] < 0 && only_views_from(id, from));
    }
    return false;
  }
  bool only_views_from(NodeId id, int group) const {
    const auto& inputs = model.node(id).inputs;
    const NodeId p = inputs.empty() ? NodeId::none : maker(inputs[0]);
    return p != NodeId::none && of[index(p)] == group;
  }
  bool separable(int a, int b) const { return !way_around(a, b) && !way_around(b, a); }

  void seed_patterns() {
    for (const auto& core : table.analysis<AttentionCores>().all()) {
      Draft draft{.kind = AEGIS_FUSION_ATTENTION};
      for (const NodeId id : core.nodes)
        if (kernel(id)) draft.nodes.push_back(id);
      add(std::move(draft));
    }
    for (const auto& pattern : table.analysis<Patterns>().all()) {
      const bool norm = pattern.kind == AEGIS_PATTERN_LAYER_NORM || pattern.kind == AEGIS_PATTERN_RMS_NORM ||
                        pattern.kind == AEGIS_PATTERN_SOFTMAX || pattern.kind == AEGIS_PATTERN_LOG_SOFTMAX;
      if (!norm || std::any_of(pattern.nodes.begin(), pattern.nodes.end(),
                               [&](NodeId id) { return kernel(id) && of[index(id)] >= 0; }))
        continue;
      Draft draft{.kind = AEGIS_FUSION_NORM, .elements = elements(pattern.out), .open = true, .norm = true};
      for (const NodeId id : pattern.nodes)
        if (kernel(id)) draft.nodes.push_back(id);
      if (!draft.nodes.empty()) add(std::move(draft));
    }
  }

  // A product, what folds into its operands, and its epilogue.
  void grow_product(NodeId id) {
    const int group = add({.kind = AEGIS_FUSION_ALONE, .nodes = {id}});
    bool quantised = false, folded = false;
    for (const ValueId in : model.node(id).inputs) {
      const NodeId p = in == ValueId::none ? NodeId::none : model.value(in).producer;
      if (!free_kernel(p)) continue;
      const Node& producer = model.node(p);
      if (producer.op == "DequantizeLinear" && only_reader(model, in) == id) {
        join(group, p);
        quantised = true;
      } else if (producer.op == "Transpose" && folds_everywhere(producer)) {
        join(group, p);
        folded = true;
      }
    }
    ValueId at = model.node(id).outputs.empty() ? ValueId::none : model.node(id).outputs[0];
    const std::int64_t size = elements(at);
    bool epilogue = false;
    while (at != ValueId::none && size >= 0) {
      const NodeId next = only_reader(model, at);
      if (next == NodeId::none || model.node(next).outputs.empty()) break;
      if (structure.role(next) == NodeRole::view && model.node(next).inputs[0] == at) {
        at = model.node(next).outputs[0];
        continue;
      }
      if (!free_kernel(next) || kind(next) != CostClass::elementwise || output_elements(next) != size) break;
      join(group, next);
      epilogue = true;
      if (model.node(next).op == "QuantizeLinear") {
        quantised = true;
        break;
      }
      at = model.node(next).outputs[0];
    }
    auto& draft = drafts[static_cast<std::size_t>(group)];
    if (quantised)
      draft.kind = AEGIS_FUSION_QDQ;
    else if (epilogue)
      draft.kind = AEGIS_FUSION_EPILOGUE;
    else if (folded)
      draft.kind = AEGIS_FUSION_FOLDED;
  }

  // A last-two Transpose that every reader folds into a product; with one reader it belongs to that product's group.
  bool folds_everywhere(const Node& transpose) const {
    if (transpose.outputs.empty() || !swaps_last_two(table, transpose)) return false;
    const NodeId reader = only_reader(model, transpose.outputs[0]);
    return reader != NodeId::none && is_gemm(model.node(reader));
  }

  void grow_chain(NodeId id) {
    const CostClass c = kind(id);
    int group = of[index(id)];
    if (group < 0) {
      if (c != CostClass::elementwise && c != CostClass::normalise && c != CostClass::reduction) return;
      const bool norm = c == CostClass::normalise;
      const auto size = c == CostClass::reduction && !model.node(id).inputs.empty() ? elements(model.node(id).inputs[0])
                                                                                    : output_elements(id);
      group = add({.kind = norm ? std::uint32_t{AEGIS_FUSION_NORM} : std::uint32_t{AEGIS_FUSION_ALONE},
                   .nodes = {id},
                   .elements = size,
                   .open = c != CostClass::reduction,
                   .norm = norm});
    } else if (!drafts[static_cast<std::size_t>(group)].open) {
      return;
    }
    for (const ValueId in : model.node(id).inputs) {
      const NodeId p = maker(in);
      if (p == NodeId::none || model.node(p).scope != model.node(id).scope) continue;
      const int other = of[index(p)];
      if (other < 0 || other == group) continue;
      const Draft& a = drafts[static_cast<std::size_t>(other)];
      const Draft& b = drafts[static_cast<std::size_t>(group)];
      if (!a.open || a.elements < 0 || a.elements != b.elements || (a.norm && b.norm)) continue;
      if (!separable(other, group)) continue;
      merge(other, group);
      group = other;
    }
  }

  // A Concat along its outermost axis whose inputs are made for it alone: the producers write into its output.
  bool in_place(const Node& node) const {
    if (node.op != "Concat" || !node.domain.empty() || node.outputs.empty()) return false;
    const auto& type = table.types().of(node.outputs[0]);
    if (!type.ranked()) return false;
    std::int64_t axis = attribute(node, "axis", std::int64_t{0});
    if (axis < 0) axis += type.rank();
    for (std::int64_t i = 0; i < axis && i < type.rank(); ++i)
      if ((*type.dims)[static_cast<std::size_t>(i)].value() != 1) return false;
    return std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId in) {
      const NodeId p = in == ValueId::none ? NodeId::none : model.value(in).producer;
      return p != NodeId::none && kernel(p) && only_reader(model, in) == node.id;
    });
  }

  void build() {
    seed_patterns();
    for (const NodeId id : structure.order())
      if (free_kernel(id) && product(id)) grow_product(id);
    for (const NodeId id : structure.order())
      if (kernel(id)) grow_chain(id);
    for (const NodeId id : structure.order()) {
      if (of[index(id)] >= 0) continue;
      if (kernel(id)) {
        const bool concat = in_place(model.node(id));
        add({.kind = concat ? std::uint32_t{AEGIS_FUSION_CONCAT} : std::uint32_t{AEGIS_FUSION_ALONE}, .nodes = {id}});
      } else if (structure.role(id) == NodeRole::view) {
        add({.kind = AEGIS_FUSION_VIEW, .nodes = {id}});
      }
    }
  }
};

}  // namespace

Fusion::Fusion(FactTable& table) {
  Builder builder{table};
  builder.build();
  of_.assign(table.model().nodes().size(), -1);
  const auto& structure = table.analysis<Structure>();
  std::erase_if(builder.drafts, [](const Draft& draft) { return draft.nodes.empty(); });
  for (auto& draft : builder.drafts)
    std::sort(draft.nodes.begin(), draft.nodes.end(),
              [&](NodeId a, NodeId b) { return structure.position(a) < structure.position(b); });
  std::sort(builder.drafts.begin(), builder.drafts.end(), [&](const Draft& a, const Draft& b) {
    return structure.position(a.nodes.front()) < structure.position(b.nodes.front());
  });
  for (auto& draft : builder.drafts) {
    if (draft.kind == AEGIS_FUSION_ALONE && draft.nodes.size() > 1) draft.kind = AEGIS_FUSION_CHAIN;
    for (const NodeId id : draft.nodes) of_[index(id)] = static_cast<int>(groups_.size());
    const bool kernel = draft.kind != AEGIS_FUSION_VIEW && draft.kind != AEGIS_FUSION_CONCAT;
    groups_.push_back({.kind = draft.kind, .nodes = std::move(draft.nodes), .kernel = kernel});
  }
}

}  // namespace aegis
