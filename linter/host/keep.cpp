// Two walks. Back from a node whose result jumps: what makes its inputs, elementwise nodes and movement, up to the
// product that rounds in any case. Forward from a node that makes integers: movement and arithmetic that maps integers
// to integers, as far as all operands are such; the first reader that computes anything else rounds in any case.
#include "linter/host/keep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "linter/abi.hpp"

namespace aegis::host {

namespace {

constexpr std::uint32_t moves = AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW;
constexpr std::size_t most_nodes = 1024;
constexpr std::uint64_t readable_bytes = 1024;  // larger constants are weights

class Walk {
 public:
  explicit Walk(const ViewState& view) : view_(view) {}

  void add(aegis_node node) {
    if (view_.graph().node(node)) nodes_.insert(node.id);
  }

  void back(aegis_node from) {
    add(from);
    std::vector<aegis_node> open{from};
    while (!open.empty() && nodes_.size() < most_nodes) {
      const aegis_node_info* info = view_.graph().node(open.back());
      open.pop_back();
      if (!info) continue;
      for (const aegis_value input : sdk::items(info->inputs)) {
        const aegis_value_info* value = view_.graph().value(input);
        const aegis_node_info* maker = value && is_wide(*value) ? view_.graph().node(value->producer) : nullptr;
        if (!maker || !(maker->flags & (moves | AEGIS_NODE_ELEMENTWISE))) continue;
        if (nodes_.insert(value->producer.id).second) open.push_back(value->producer);
      }
    }
  }

  void forward(aegis_node from) {
    add(from);
    std::vector<aegis_node> open{from};
    while (!open.empty() && nodes_.size() < most_nodes) {
      const aegis_node_info* info = view_.graph().node(open.back());
      open.pop_back();
      if (!info) continue;
      for (const aegis_value output : sdk::items(info->outputs)) {
        const aegis_value_info* value = view_.graph().value(output);
        if (!value || !is_wide(*value)) continue;
        for (std::uint32_t i = 0; i < value->uses_count; ++i) {
          const aegis_node reader = value->uses[i].node;
          const aegis_node_info* reads = view_.graph().node(reader);
          if (reads && maps_integers(*reads) && nodes_.insert(reader.id).second) open.push_back(reader);
        }
      }
    }
  }

  std::vector<aegis_node> nodes() const {
    std::vector<aegis_node> out;
    for (const std::uint32_t id : nodes_) out.push_back({id});
    return out;
  }

 private:
  static bool is_wide(const aegis_value_info& value) { return value.type.dtype == AEGIS_DTYPE_FLOAT; }

  bool maps_integers(const aegis_node_info& info) const {
    static constexpr std::array<std::string_view, 24> exact{
        "Add",       "Sub",       "Mul",       "Neg",    "Abs",   "Sign",    "Min",         "Max",
        "Clip",      "Floor",     "Ceil",      "Round",  "Where", "Mod",     "Sum",         "Equal",
        "ReduceSum", "ReduceMax", "ReduceMin", "CumSum", "Less",  "Greater", "LessOrEqual", "GreaterOrEqual"};
    const std::string_view op = abi::view(info.op);
    if (info.domain.size != 0) return false;
    if (!(info.flags & moves) && std::ranges::find(exact, op) == exact.end()) return false;
    return std::ranges::all_of(sdk::items(info.inputs), [&](aegis_value input) { return holds_integers(input); });
  }

  bool holds_integers(aegis_value id) const {
    const aegis_value_info* value = view_.graph().value(id);
    if (!value || !is_wide(*value) || nodes_.contains(value->producer.id)) return true;
    const TensorSource* source = view_.facts().model().constant(ValueId{id.id});
    if (!source || source->raw_size() > readable_bytes) return false;
    const auto tensor = source->read();
    const auto numbers = tensor ? to_doubles(*tensor) : Result<std::vector<double>>(tensor.error());
    return numbers && std::ranges::all_of(*numbers, [](double x) { return x == std::floor(x); });
  }

  const ViewState& view_;
  std::set<std::uint32_t> nodes_;  // ids are in file order
};

}  // namespace

std::vector<aegis_node> kept_nodes(const ViewState& view, const aegis_keep_wide& keep) {
  if (keep.what == AEGIS_KEEP_VALUE || (keep.what != AEGIS_KEEP_REGION && !view.graph().node(keep.node))) return {};
  Walk walk(view);
  if (keep.what == AEGIS_KEEP_PRODUCERS) {
    walk.back(keep.node);
  } else if (keep.what == AEGIS_KEEP_TO_LOSSY_USE) {
    walk.forward(keep.node);
  } else {
    walk.add(keep.node);
    for (const aegis_node node : sdk::items(keep.region)) walk.add(node);
  }
  return walk.nodes();
}

}  // namespace aegis::host
