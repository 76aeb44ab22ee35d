#include "rewriter/padding/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rewriter/padding/recipe.hpp"
#include "rewriter/padding/row.hpp"
#include "rewriter/padding/weights.hpp"

namespace aegis::padding {
namespace {

// Collects what the rows ask for.
class Collector final : public Editor {
 public:
  struct Integers {
    NodeId node;
    std::uint32_t slot;
    std::vector<std::int64_t> values;
  };

  Collector(const ClassGraph& graph, const Settled& settled) : graph_(graph), settled_(settled) {}

  const ClassGraph& graph() const override { return graph_; }
  const LaneMap* map(Point point) const override {
    if (point == no_point) return nullptr;
    const auto found = settled_.maps.find(graph_.find(point));
    return found == settled_.maps.end() ? nullptr : &found->second;
  }
  void attribute(const Node& node, AttributeValue value) override { attributes.push_back({node.id, std::move(value)}); }
  void integers(const Node& node, std::size_t slot, std::vector<std::int64_t> values) override {
    integer_inputs.push_back({node.id, static_cast<std::uint32_t>(slot), std::move(values)});
  }
  void fold(const Node& node) override { folded.insert(node.id); }
  void fail(const Node& node, std::string_view word, std::string detail) override {
    if (!failure) failure = Reason{node.id, std::string(word), std::move(detail)};
  }

  std::vector<edit::SetAttribute> attributes;
  std::vector<Integers> integer_inputs;
  std::set<NodeId> folded;
  std::optional<Reason> failure;

 private:
  const ClassGraph& graph_;
  const Settled& settled_;
};

Collector collect(const ClassGraph& graph, const Settled& settled, const std::vector<NodeId>& nodes) {
  Collector collector(graph, settled);
  for (const NodeId id : nodes) {
    const Node& node = graph.model().node(id);
    const Row* row = row_of(graph.model(), node);
    if (row != nullptr && row->edit != nullptr) row->edit(collector, node);
  }
  return collector;
}

Origin::Axis origin_axis(int axis, const LaneMap& map, std::optional<double> lane) {
  return {.axis = axis, .runs = map.pairs(), .lane = lane};
}

class Emitter {
 public:
  Emitter(const ClassGraph& graph, const PaddingPlan& plan)
      : graph_(graph), model_(graph.model()), plan_(plan), fresh_(model_) {}

  Patch run() {
    std::set<Point> classes;
    for (const PaddedClass& padded : plan_.padded) classes.insert(padded.classes.begin(), padded.classes.end());
    const std::vector<NodeId> nodes = nodes_touching(graph_, std::vector<Point>(classes.begin(), classes.end()));
    weights();
    Collector edits = collect(graph_, plan_.settled, nodes);
    for (edit::SetAttribute& attribute : edits.attributes) patch_.edits.emplace_back(std::move(attribute));
    for (const Collector::Integers& integers : edits.integer_inputs) {
      if (!edits.folded.contains(integers.node)) integer_input(integers);
    }
    for (const NodeId node : edits.folded) fold(model_.node(node));
    borders();
    values();
    drop_unread();
    patch_.pass = "pad_dims";
    patch_.safety = Safety::close;
    patch_.same_bits = plan_.settled.same_bits;
    return std::move(patch_);
  }

 private:
  void read_instead(NodeId node, std::uint32_t slot, const std::string& name) {
    patch_.edits.emplace_back(edit::SetInput{node, slot, name});
    ++redirected_[model_.node(node).inputs[slot]];
  }

  void weights() {
    for (const WeightPlan& plan : plan_weights(graph_, plan_.settled)) {
      const Value& value = model_.value(plan.value);
      const TensorSource& source = *model_.constant(plan.value);
      for (std::size_t i = 0; i < plan.padded.size(); ++i) {
        const WeightForm& form = plan.padded[i];
        const TensorSource tensor = padded(source, form.maps, form.fill);
        std::string name(value.name);
        if (plan.keeps || i > 0) {
          name = fresh_.make(name + "/pad");
          patch_.edits.emplace_back(edit::AddTensor{value.scope, name, tensor});
          for (const Use& use : form.uses) read_instead(use.node, use.slot, name);
        } else if (value.initializer) {
          patch_.edits.emplace_back(edit::SetTensor{plan.value, tensor});
        } else {
          patch_.edits.emplace_back(edit::DropNode{value.producer});
          patch_.edits.emplace_back(edit::AddTensor{value.scope, name, tensor});
          if (value.declared != nullptr) patch_.edits.emplace_back(edit::DropValueInfo{value.scope, name});
        }
        Origin origin{.kind = Origin::Kind::padded, .from = plan.value, .axes = {}};
        for (const auto& [axis, map] : form.maps) origin.axes.push_back(origin_axis(axis, map, form.fill));
        patch_.origins.emplace_back(name, std::move(origin));
      }
    }
  }

  // Uses that want the same numbers in place of the same value share one clone.
  void integer_input(const Collector::Integers& wanted) {
    const Node& node = model_.node(wanted.node);
    const ValueId old = node.inputs[wanted.slot];
    const auto [clone, added] = clones_.try_emplace({old, wanted.values});
    if (added) {
      const TensorSource* source = model_.constant(old);
      const DType type = source != nullptr ? source->type : graph_.types().of(old).dtype;
      std::vector<std::int64_t> dims{static_cast<std::int64_t>(wanted.values.size())};
      if (source != nullptr) dims = source->dims;
      const std::vector<double> numbers(wanted.values.begin(), wanted.values.end());
      Tensor tensor = type == DType::i64 ? from_integers(dims, wanted.values) : from_doubles(type, dims, numbers);
      clone->second = fresh_.make(std::string(model_.value(old).name) + "/pad");
      const ScopeId scope = source != nullptr ? model_.value(old).scope : node.scope;
      patch_.edits.emplace_back(edit::AddTensor{scope, clone->second, TensorSource::owned(tensor)});
      patch_.origins.emplace_back(clone->second, Origin{.kind = Origin::Kind::clone, .from = old, .axes = {}});
    }
    read_instead(wanted.node, wanted.slot, clone->second);
  }

  // A padded graph output: the inner value gets a name of its own, one Slice takes over the output's.
  void borders() {
    std::map<ValueId, std::set<int>> axes;
    for (const PaddedClass& padded : plan_.padded) {
      for (const Border& border : padded.borders) axes[border.value].insert(border.axis);
    }
    for (const auto& [id, padded] : axes) slice(model_.value(id), padded);
  }

  void slice(const Value& output, const std::set<int>& axes) {
    const std::string name(output.name);
    const std::string inner = fresh_.make(name + "/pad");
    const Node& maker = model_.node(output.producer);
    for (std::uint32_t slot = 0; slot < maker.outputs.size(); ++slot) {
      if (maker.outputs[slot] == output.id) patch_.edits.emplace_back(edit::SetOutput{maker.id, slot, inner});
    }
    for (const Use& use : output.uses) {
      if (use.node != NodeId::none) patch_.edits.emplace_back(edit::SetInput{use.node, use.slot, inner});
    }
    const ValueType& type = graph_.types().of(output.id);
    std::vector<std::int64_t> starts(axes.size(), 0), ends, which(axes.begin(), axes.end());
    for (const int axis : axes) ends.push_back((*type.dims)[static_cast<std::size_t>(axis)].extent);
    edit::InsertNode node{.scope = output.scope,
                          .before = NodeId::none,
                          .op = "Slice",
                          .domain = "",
                          .name = fresh_.make(name + "/slice/pad"),
                          .inputs = {inner},
                          .outputs = {name},
                          .attributes = {}};
    if (model_.opset() < 10) {
      node.attributes = {{"starts", starts}, {"ends", ends}, {"axes", which}};
    } else {
      const auto length = static_cast<std::int64_t>(axes.size());
      for (const auto& [part, numbers] :
           {std::pair{"/starts/pad", &starts}, std::pair{"/ends/pad", &ends}, std::pair{"/axes/pad", &which}}) {
        node.inputs.push_back(fresh_.make(name + part));
        patch_.edits.emplace_back(
            edit::AddTensor{output.scope, node.inputs.back(), TensorSource::owned(from_integers({length}, *numbers))});
      }
    }
    patch_.edits.emplace_back(std::move(node));
    renamed_[output.id] = inner;
  }

  void fold(const Node& node) {
    patch_.edits.emplace_back(edit::DropNode{node.id});
    for (const ValueId output : node.outputs) {
      if (output == ValueId::none) continue;
      const Value& value = model_.value(output);
      const std::vector<std::int64_t> dims = graph_.types().of(output).shape().value_or(std::vector<std::int64_t>{});
      const Tensor tensor = from_integers(dims, graph_.types().known[index(output)]);
      patch_.edits.emplace_back(edit::AddTensor{value.scope, std::string(value.name), TensorSource::owned(tensor)});
    }
  }

  // Origins and declared types of the values that nodes make.
  void values() {
    for (const Node& node : model_.nodes()) {
      if (!node.alive) continue;
      for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) value(node, slot);
    }
  }

  void value(const Node& node, std::size_t slot) {
    Origin origin{.kind = Origin::Kind::padded, .from = node.outputs[slot], .axes = {}};
    std::vector<std::int64_t> extents;
    for (int axis = 0; axis < graph_.output_rank(node, slot); ++axis) {
      const Point point = graph_.output(node, slot, axis);
      if (point == no_point) return;
      const auto map = plan_.settled.maps.find(graph_.find(point));
      extents.push_back(map == plan_.settled.maps.end() ? graph_.extent(point) : map->second.total());
      if (map == plan_.settled.maps.end()) continue;
      const auto lane = plan_.settled.lanes.find(point);
      std::optional<double> number;
      if (lane != plan_.settled.lanes.end() && lane->second.constant()) number = lane->second.number();
      origin.axes.push_back(origin_axis(axis, map->second, number));
    }
    if (origin.axes.empty()) return;
    const Value& made = model_.value(node.outputs[slot]);
    if (const auto inner = renamed_.find(made.id); inner != renamed_.end()) {
      patch_.origins.emplace_back(inner->second, std::move(origin));
      return;
    }
    if (made.declared != nullptr) {
      // A type with a symbol in it is left to inference.
      const bool fixed = std::all_of(extents.begin(), extents.end(), [](std::int64_t extent) { return extent >= 0; });
      const std::string name(made.name);
      if (fixed) {
        patch_.edits.emplace_back(edit::SetValueInfo{made.scope, name, graph_.types().of(made.id).dtype, extents});
      } else {
        patch_.edits.emplace_back(edit::DropValueInfo{made.scope, name});
      }
    }
    patch_.origins.emplace_back(std::string(made.name), std::move(origin));
  }

  // A constant that nobody reads any more goes.
  void drop_unread() {
    for (const auto& [id, count] : redirected_) {
      const Value& value = model_.value(id);
      if (count != value.uses.size() || value.output || value.input || model_.constant(id) == nullptr) continue;
      if (value.initializer) {
        patch_.edits.emplace_back(edit::DropTensor{id});
      } else {
        patch_.edits.emplace_back(edit::DropNode{value.producer});
      }
    }
  }

  const ClassGraph& graph_;
  const Model& model_;
  const PaddingPlan& plan_;
  FreshNames fresh_;
  Patch patch_;
  std::map<std::pair<ValueId, std::vector<std::int64_t>>, std::string> clones_;
  std::map<ValueId, std::size_t> redirected_;
  std::map<ValueId, std::string> renamed_;
};

// A name for people: a value that a node makes, else a weight.
std::string dim_name(const ClassGraph& graph, Point root) {
  std::string weight;
  for (const Point point : graph.members(root)) {
    const PointInfo& info = graph.info(point);
    if (info.value == ValueId::none) continue;
    const std::string name = fmt::format("{}@{}", graph.model().value(info.value).name, info.axis);
    if (info.user == NodeId::none) return name;
    if (weight.empty()) weight = name;
  }
  return weight;
}

PassOutput::DimChange change(const ClassGraph& graph, const PaddedClass& padded) {
  PassOutput::DimChange out{.dim = dim_name(graph, padded.root), .from = padded.from, .to = padded.to, .tensors = {}};
  for (std::size_t i = 0; out.dim.empty() && i < padded.classes.size(); ++i)
    out.dim = dim_name(graph, padded.classes[i]);
  std::set<std::string> names;
  for (const Point c : padded.classes) {
    for (const Point point : graph.members(c)) {
      if (graph.info(point).user != NodeId::none)
        names.insert(std::string(graph.model().value(graph.info(point).value).name));
    }
  }
  out.tensors.assign(names.begin(), names.end());
  return out;
}

}  // namespace

std::optional<Reason> check_edits(const ClassGraph& graph, const Settled& settled, const std::vector<NodeId>& nodes) {
  for (const NodeId id : nodes) {
    const Node& node = graph.model().node(id);
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (!graph.constant(node, slot)) continue;
      const DType type = graph.model().constant(node.inputs[slot])->type;
      for (int axis = 0; axis < graph.input_rank(node, slot); ++axis) {
        const Point point = graph.input(node, slot, axis);
        if (point == no_point || !settled.maps.contains(graph.find(point))) continue;
        if (bits(type) < 8 || bits(type) % 8 != 0)
          return Reason{id, "unsupported_weight", "the elements of a weight are no whole bytes"};
      }
    }
  }
  return collect(graph, settled, nodes).failure;
}

void emit(const ClassGraph& graph, const PaddingPlan& plan, PassOutput& out) {
  Patch patch = Emitter(graph, plan).run();
  for (const PaddedClass& padded : plan.padded) out.dims.push_back(change(graph, padded));
  const std::size_t shown = std::min<std::size_t>(out.dims.size(), 3);
  for (std::size_t i = 0; i < shown; ++i) {
    patch.label += fmt::format("{}{} {} -> {}", i == 0 ? "" : ", ", out.dims[i].dim, out.dims[i].from, out.dims[i].to);
  }
  if (out.dims.size() > shown) patch.label += fmt::format(" and {} more", out.dims.size() - shown);
  out.patches.push_back(std::move(patch));
}

}  // namespace aegis::padding
