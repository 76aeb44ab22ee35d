#include "validator/inputs/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/attribute.hpp"

namespace aegis {
namespace {

class Walk {
 public:
  Walk(const Model& model, const TypeTable& types) : model_(model), types_(types) {}

  void from(ValueId input) {
    pending_.push_back({input, 0});
    while (!pending_.empty()) {
      const auto [value, offset] = pending_.back();
      pending_.pop_back();
      if (!seen_.insert(value).second) continue;
      for (const Use& use : model_.value(value).uses)
        if (use.node != NodeId::none) visit(model_.node(use.node), use.slot, value, offset);
    }
  }

  std::optional<InputBound> result() {
    if (constants_.size() >= 2) {
      bound_.choices.assign(constants_.begin(), constants_.end());
      if (bounded_) std::erase_if(bound_.choices, [&](std::int64_t v) { return v < bound_.low || v >= bound_.high; });
      if (!bound_.choices.empty()) bound_.because = compared_at_;
    }
    return bounded_ || !bound_.choices.empty() ? std::optional(bound_) : std::nullopt;
  }

 private:
  static ValueId input(const Node& node, std::size_t slot) {
    return slot < node.inputs.size() ? node.inputs[slot] : ValueId::none;
  }

  // `offset`: what has been added to the input on the way to `value`.
  void follow(ValueId value, std::int64_t offset) {
    if (value != ValueId::none) pending_.push_back({value, offset});
  }

  void visit(const Node& node, std::uint32_t slot, ValueId value, std::int64_t offset) {
    const std::string_view op = node.op;
    if (!node.domain.empty()) return;
    if (op == "Cast" || op == "Identity" ||
        ((op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Slice" || op == "Expand" ||
          op == "Transpose" || op == "Flatten" || op == "Tile") &&
         slot == 0) ||
        op == "Concat") {
      for (const ValueId out : node.outputs) follow(out, offset);
    } else if (op == "Add" || op == "Sub") {
      if (op == "Sub" && slot == 1) return;
      const auto constant = elements(input(node, 1 - slot));
      if (constant.empty()) return;
      // Every element must stay in range: the largest added constant counts for the upper end.
      const auto [low, high] = std::ranges::minmax(constant);
      if (low != high) return;
      follow(node.outputs.empty() ? ValueId::none : node.outputs[0], op == "Add" ? offset + high : offset - high);
    } else if (op == "Gather" && slot == 1) {
      limit(extent(input(node, 0), attribute(node, "axis", std::int64_t{0})), offset, node);
    } else if ((op == "GatherElements" || op == "ScatterElements" || op == "Scatter") && slot == 1) {
      limit(extent(input(node, 0), attribute(node, "axis", std::int64_t{0})), offset, node);
    } else if ((op == "GatherND" || op == "ScatterND") && slot == 1) {
      limit_nd(node, value, offset);
    } else if (op == "OneHot" && slot == 0) {
      const auto depth = elements(input(node, 1));
      if (depth.size() == 1) limit(depth[0], offset, node);
    } else if (op == "Equal" || op == "Less" || op == "Greater" || op == "LessOrEqual" || op == "GreaterOrEqual") {
      for (const std::int64_t constant : elements(input(node, 1 - slot))) constants_.insert(constant - offset);
      compared_at_ = fmt::format("{} at {}", op, label(model_, node.id));
    }
  }

  // The last axis of the indices counts coordinates of the first axes (after the batch axes) of the data: one number
  // must do for all of them.
  void limit_nd(const Node& node, ValueId indices, std::int64_t offset) {
    if (input(node, 0) == ValueId::none) return;
    const ValueType& data = types_.of(input(node, 0));
    const ValueType& index = types_.of(indices);
    const auto shape = data.shape(), places = index.shape();
    if (!shape || !places || places->empty()) return;
    const auto batch =
        static_cast<std::size_t>(std::max<std::int64_t>(0, attribute(node, "batch_dims", std::int64_t{0})));
    const auto depth = static_cast<std::size_t>(std::max<std::int64_t>(0, places->back()));
    for (std::size_t i = batch; i < std::min(shape->size(), batch + depth); ++i) limit((*shape)[i], offset, node);
  }

  void limit(std::optional<std::int64_t> extent, std::int64_t offset, const Node& node) {
    if (!extent || *extent <= 0) return;
    const std::int64_t low = std::max<std::int64_t>(0, -offset), high = *extent - offset;
    if (high <= low || (bounded_ && high >= bound_.high && low <= bound_.low)) return;
    bound_.low = bounded_ ? std::max(bound_.low, low) : low;
    bound_.high = bounded_ ? std::min(bound_.high, high) : high;
    if (bound_.high <= bound_.low) bound_.high = bound_.low + 1;
    bounded_ = true;
    bound_.because = fmt::format("{} at {}", node.op, label(model_, node.id));
  }

  std::optional<std::int64_t> extent(ValueId data, std::int64_t axis) const {
    if (data == ValueId::none) return std::nullopt;
    const ValueType& type = types_.of(data);
    if (!type.ranked()) return std::nullopt;
    const std::int64_t at = axis < 0 ? axis + type.rank() : axis;
    if (at < 0 || at >= type.rank()) return std::nullopt;
    return (*type.dims)[static_cast<std::size_t>(at)].value();
  }

  // Elements of a small integer constant; empty when it is none.
  std::vector<std::int64_t> elements(ValueId id) const {
    if (id == ValueId::none) return {};
    if (types_.has_known[index(id)]) return types_.known[index(id)];
    const TensorSource* source = model_.constant(id);
    if (!source || source->elements() > 64) return {};
    const auto tensor = source->read();
    if (!tensor) return {};
    auto values = to_integers(*tensor);
    return values ? *values : std::vector<std::int64_t>{};
  }

  const Model& model_;
  const TypeTable& types_;
  std::vector<std::pair<ValueId, std::int64_t>> pending_;
  std::set<ValueId> seen_;
  std::set<std::int64_t> constants_;
  std::string compared_at_;
  InputBound bound_;
  bool bounded_ = false;
};

}  // namespace

std::optional<InputBound> bound_of(const Model& model, const TypeTable& types, ValueId input) {
  Walk walk(model, types);
  walk.from(input);
  return walk.result();
}

}  // namespace aegis
