// Reshape and Flatten. Both shapes are cut into the same finest factors: walking them from the right, an axis
// that divides the one across from it is a factor of that one. An axis made of several factors is a product of their
// classes; a factor that is a whole axis on both sides just moves. Where the factors do not meet, the axis may not be
// padded.
#include <algorithm>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

// One side of the node while it is being cut: axes that are not 1, in order.
struct Side {
  std::vector<Point> axes;
  std::vector<std::vector<Point>> factors;  // by position in `axes`
};

Side side(const ClassGraph& graph, const Node& node, bool input) {
  Side out;
  const int rank = input ? graph.input_rank(node, 0) : graph.output_rank(node, 0);
  for (int axis = 0; axis < rank; ++axis) {
    const Point point = input ? graph.input(node, 0, axis) : graph.output(node, 0, axis);
    if (graph.extent(point) != 1) out.axes.push_back(point);
  }
  out.factors.resize(out.axes.size());
  return out;
}

bool same_symbol(const ClassGraph& graph, Point a, Point b) {
  const auto dim = [&](Point point) {
    return (*graph.types().of(graph.info(point).value).dims)[static_cast<std::size_t>(graph.info(point).axis)];
  };
  if (graph.model().constant(graph.info(a).value) != nullptr) return false;
  return dim(a).kind == Dim::Kind::symbol && dim(a).equals(dim(b)) == Answer::yes;
}

constexpr std::string_view kept = "the new shape does not keep this axis whole";

// Equal ends: they settle symbolic axes on both sides of the part that changes. Gives the ranges in between.
struct Middle {
  std::size_t from = 0, in_to = 0, out_to = 0;
};

Middle join_ends(ClassGraph& graph, const Node& node, const Side& in, const Side& out) {
  const auto equal = [&](Point a, Point b) {
    return graph.extent(a) > 0 ? graph.extent(a) == graph.extent(b) : same_symbol(graph, a, b);
  };
  Middle m{.in_to = in.axes.size(), .out_to = out.axes.size()};
  while (m.from < m.in_to && m.from < m.out_to && equal(in.axes[m.from], out.axes[m.from])) {
    graph.join(in.axes[m.from], out.axes[m.from], node);
    ++m.from;
  }
  while (m.in_to > m.from && m.out_to > m.from && equal(in.axes[m.in_to - 1], out.axes[m.out_to - 1])) {
    graph.join(in.axes[--m.in_to], out.axes[--m.out_to], node);
  }
  return m;
}

// Axes [whole, to) were cut to the end; those before them, and every factor of theirs, may not grow.
void settle(ClassGraph& graph, const Node& node, const Side& s, std::size_t from, std::size_t whole, std::size_t to) {
  for (std::size_t k = from; k < whole; ++k) {
    graph.block(s.axes[k], node.id, "cut_segment", std::string(kept));
    for (const Point factor : s.factors[k]) graph.block(factor, node.id, "cut_segment", std::string(kept));
  }
  for (std::size_t k = whole; k < to; ++k) {
    if (s.factors[k].size() == 1) {
      graph.join(s.factors[k][0], s.axes[k], node);
    } else {
      graph.derive({Derived::Kind::product, s.axes[k], s.factors[k], node.id});
    }
  }
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (graph.input_rank(node, 0) < 0 || graph.output_rank(node, 0) < 0) {
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  }
  Side in = side(graph, node, true), out = side(graph, node, false);
  for (const Side* s : {&in, &out}) {
    for (const Point point : s->axes) {
      if (graph.extent(point) == 0) return graph.block_all(node, "cut_segment", "the tensor is empty");
    }
  }
  const Middle m = join_ends(graph, node, in, out);
  std::size_t i = m.in_to, j = m.out_to;
  std::int64_t a = 0, b = 0;  // what is left of the axes at i and j; -1: not known
  while (true) {
    if (a == 0 && i > m.from) a = graph.extent(in.axes[--i]);
    if (b == 0 && j > m.from) b = graph.extent(out.axes[--j]);
    if (a <= 0 || b <= 0 || (a % b != 0 && b % a != 0)) break;
    const std::int64_t factor = std::min(a, b);
    const Point point = graph.make_virtual(factor);
    in.factors[i].insert(in.factors[i].begin(), point);
    out.factors[j].insert(out.factors[j].begin(), point);
    a = a == factor ? 0 : a / factor;
    b = b == factor ? 0 : b / factor;
  }
  settle(graph, node, in, m.from, a == 0 ? i : i + 1, m.in_to);
  settle(graph, node, out, m.from, b == 0 ? j : j + 1, m.out_to);
}

// A target names extents, 0 for "as before" and one -1 for the rest.
void edit(Editor& editor, const Node& node) {
  if (node.op != "Reshape") return;
  const ClassGraph& graph = editor.graph();
  const int rank = graph.output_rank(node, 0);
  bool any = false;
  for (int axis = 0; axis < rank; ++axis) any = any || editor.padded(graph.output(node, 0, axis));
  for (int axis = 0; axis < graph.input_rank(node, 0); ++axis) any = any || editor.padded(graph.input(node, 0, axis));
  if (!any) return;
  if (node.inputs.size() < 2)
    return editor.fail(node, "unknown_op", "a Reshape of opset 1 keeps its target in an attribute");
  std::optional<std::vector<std::int64_t>> target = known_integers(graph, node, 1);
  if (!target || target->size() != static_cast<std::size_t>(rank)) {
    return editor.fail(node, "shape_read", "the target of a Reshape is computed");
  }
  const bool zero_copies = attribute(node, "allowzero", std::int64_t{0}) == 0;
  bool changed = false;
  for (int axis = 0; axis < rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const Point out = graph.output(node, 0, axis);
    if ((*target)[at] == -1) continue;
    if ((*target)[at] == 0 && zero_copies) {
      // Takes the input's extent, so both sides have to grow alike.
      const Point in = graph.input(node, 0, axis);
      if (in == no_point) return editor.fail(node, "cut_segment", "a target of 0 stands past the input's rank");
      const bool same = !editor.padded(in) && !editor.padded(out);
      if (!same && editor.extent(in) != editor.extent(out)) {
        (*target)[at] = editor.extent(out);
        changed = true;
        if (editor.extent(out) < 0) return editor.fail(node, "cut_segment", "a target of 0 stands for a symbolic axis");
      }
      continue;
    }
    if (editor.padded(out)) {
      (*target)[at] = editor.extent(out);
      changed = true;
    }
  }
  if (changed) editor.integers(node, 1, *target);
}

}  // namespace

const Row rows::reshape = {.connect = connect, .lanes = pass_lanes, .edit = edit};

}  // namespace aegis::padding
