#include "rewriter/padding/build.hpp"

#include <map>

#include "model/attribute.hpp"
#include "ops/target.hpp"
#include "rewriter/padding/equation.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool in_function(const Model& model, ScopeId scope) {
  for (; scope != ScopeId::none; scope = model.scope(scope).parent) {
    if (model.scope(scope).kind == ScopeKind::function) return true;
  }
  return false;
}

bool cache_name(std::string_view name) { return name.find("past") != name.npos || name.find("present") != name.npos; }

// Why a value itself keeps its extents: the interface, the borders of bodies.
void value_barriers(ClassGraph& graph, const Value& value, const Node& reader, std::size_t slot, bool produced,
                    bool slices) {
  const Model& model = graph.model();
  const bool body = model.scope(value.scope).kind == ScopeKind::subgraph;
  std::string word, detail;
  NodeId at = reader.id;
  bool elsewhere = false;
  for (const Use& use : value.uses) elsewhere = elsewhere || use.scope != value.scope;
  const bool ends_in_slice = slices && !value.input && !body && !elsewhere && value.producer != NodeId::none;
  if (value.output && ends_in_slice && !cache_name(value.name)) return;
  if (value.input || value.output) {
    word = body ? "control_flow" : cache_name(value.name) ? "state_io" : "border_cost";
    detail = (value.input ? "an input of the graph: " : "an output of the graph: ") + std::string(value.name);
    if (body) detail = "it crosses the border of a body: " + std::string(value.name);
    if (value.input && value.initializer) {
      word = "overridable";
      detail = "a caller may replace this weight: " + std::string(value.name);
    }
  } else if (elsewhere) {
    word = "control_flow";
    detail = "a body reads it: " + std::string(value.name);
  } else {
    return;
  }
  const int rank = produced ? graph.output_rank(reader, slot) : graph.input_rank(reader, slot);
  for (int axis = 0; axis < rank; ++axis) {
    graph.block(produced ? graph.output(reader, slot, axis) : graph.input(reader, slot, axis), at, word, detail);
  }
}

std::string_view missing_row(const Node& node) {
  if (node.function != ScopeId::none) return "function_body";
  if (!node.bodies.empty()) return "control_flow";
  if (node.op.starts_with("MatMulNBits") || node.op == "MatMulBnb4" || node.op == "GatherBlockQuantized")
    return "quantised_block";
  return "unknown_op";
}

// The multiple of the target's fast path; without a target that of a GPU which has every type.
std::int64_t fast_multiple(const Target* target, DType type) {
  if (target != nullptr) return target->alignment(product_compute(*target, compute_of(type))).tier1;
  return Target{}.alignment(type == DType::f32 ? Compute{AEGIS_DTYPE_TF32} : compute_of(type)).tier1;
}

class Wants {
 public:
  Wants(const ClassGraph& graph, const PassInput& input) : graph_(graph), input_(input) {}

  void add(const Node& node, Point point, std::string axis) {
    if (point == no_point || graph_.extent(point) <= 1) return;
    const DType made = graph_.types().of(node.outputs[0]).dtype;
    const DType stored = made == DType::i32 ? DType::i8 : made;  // integer products add up in 32 bits
    const DType type = is_float(stored) && input_.compute != DType::undefined ? input_.compute : stored;
    const std::int64_t multiple =
        input_.padding.multiple > 0 ? input_.padding.multiple : fast_multiple(input_.target, type);
    const Point root = graph_.find(point);
    const auto [entry, added] = at_.try_emplace(root, found_.size());
    if (added) {
      found_.push_back({root, node.id, multiple, std::move(axis)});
    } else {
      found_[entry->second].multiple = std::max(found_[entry->second].multiple, multiple);
    }
  }
  std::vector<Want> take() { return std::move(found_); }

 private:
  const ClassGraph& graph_;
  const PassInput& input_;
  std::vector<Want> found_;
  std::map<Point, std::size_t> at_;
};

void einsum_wants(const ClassGraph& graph, const Node& node, Wants& wants) {
  const std::optional<Equation> equation = parse_equation(attribute(node, "equation", ""), node.inputs.size());
  if (!equation || equation->operands.size() != 2) return;
  for (std::size_t slot = 0; slot < 2; ++slot) {
    const std::string& own = equation->operands[slot];
    const std::string& other = equation->operands[1 - slot];
    if (static_cast<int>(own.size()) != graph.input_rank(node, slot)) return;
    for (int axis = 0; axis < static_cast<int>(own.size()); ++axis) {
      const char label = own[static_cast<std::size_t>(axis)];
      const bool shared = other.find(label) != std::string::npos,
                 kept = equation->result.find(label) != std::string::npos;
      if (shared && !kept) wants.add(node, graph.input(node, slot, axis), "K");
      if (!shared && kept && graph.constant(node, slot)) wants.add(node, graph.input(node, slot, axis), "N");
    }
  }
}

// The head dims: the last axis itself, or the part of it when heads are packed into one axis.
void attention_wants(const ClassGraph& graph, const Node& node, Wants& wants) {
  for (const std::size_t slot : {std::size_t{0}, std::size_t{2}}) {
    const Point last = graph.input(node, slot, graph.input_rank(node, slot) - 1);
    if (last == no_point) continue;
    if (graph.input_rank(node, slot) != 3) {
      wants.add(node, last, "head dim");
      continue;
    }
    for (const std::size_t edge : graph.whole_of(graph.find(last))) {
      if (graph.derived(edge).node == node.id) wants.add(node, graph.derived(edge).parts.back(), "head dim");
    }
  }
}

}  // namespace

ClassGraph build_classes(const Model& model, const TypeTable& types, const PaddingOptions& options) {
  ClassGraph graph(model, types);
  // A Slice at an output has to pay, so only a gate that asks for a gain lets one in.
  const bool slices = options.gate == PaddingOptions::Gate::predicted;
  for (const Node& node : model.nodes()) {
    if (!node.alive || in_function(model, node.scope)) continue;
    if (const Row* row = row_of(model, node)) {
      row->connect(graph, node, options);
    } else {
      graph.block_all(node, missing_row(node), std::string(node.op) + " has no padding row");
    }
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (node.inputs[slot] == ValueId::none || graph.constant(node, slot)) continue;
      value_barriers(graph, model.value(node.inputs[slot]), node, slot, false, slices);
    }
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (node.outputs[slot] != ValueId::none)
        value_barriers(graph, model.value(node.outputs[slot]), node, slot, true, slices);
    }
  }
  graph.finish();
  return graph;
}

std::vector<Want> wanted_axes(const ClassGraph& graph, const PassInput& input) {
  Wants wants(graph, input);
  for (const Node& node : graph.model().nodes()) {
    if (!node.alive || in_function(graph.model(), node.scope) || node.outputs.empty() ||
        node.outputs[0] == ValueId::none)
      continue;
    const Row* row = row_of(graph.model(), node);
    if (row == &rows::matmul) {
      const int a = graph.input_rank(node, 0), b = graph.input_rank(node, 1);
      wants.add(node, graph.input(node, 0, a - 1), "K");
      if (b > 1) wants.add(node, graph.input(node, 1, b - 1), "N");
    } else if (row == &rows::gemm) {
      const bool a = attribute(node, "transA", std::int64_t{0}) != 0,
                 b = attribute(node, "transB", std::int64_t{0}) != 0;
      wants.add(node, graph.input(node, 0, a ? 0 : 1), "K");
      wants.add(node, graph.input(node, 1, b ? 0 : 1), "N");
    } else if (row == &rows::conv || row == &rows::conv_transpose) {
      const bool mirrored = row == &rows::conv_transpose;
      const Point in = graph.input(node, 1, mirrored ? 0 : 1), out = graph.input(node, 1, mirrored ? 1 : 0);
      const std::int64_t group = attribute(node, "group", std::int64_t{1});
      if (group > 1 && graph.extent(in) == 1) continue;  // depthwise: only as part of a class
      wants.add(node, in, "channels in");
      wants.add(node, out, "channels out");
    } else if (row == &rows::einsum) {
      einsum_wants(graph, node, wants);
    } else if (row == &rows::matmul_integer) {
      wants.add(node, graph.input(node, 0, graph.input_rank(node, 0) - 1), "K");
      if (graph.input_rank(node, 1) > 1) wants.add(node, graph.input(node, 1, graph.input_rank(node, 1) - 1), "N");
    } else if (row == &rows::recurrent) {
      wants.add(node, graph.input(node, 1, 2), "input size");
      wants.add(node, graph.input(node, 2, 2), "hidden size");
    } else if (row == &rows::attention) {
      attention_wants(graph, node, wants);
    }
  }
  return wants.take();
}

}  // namespace aegis::padding
