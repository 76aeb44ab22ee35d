#include "ops/cost/gemm_shape.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "model/attribute.hpp"

namespace aegis {
namespace {

constexpr std::string_view microsoft = "com.microsoft";

struct Row {
  std::string_view op, domain;
  std::size_t a, b, c;  // slots; c past the end: none
  bool gemm;            // rank 2 with transA and transB, and a bias
};
constexpr std::size_t no_slot = 99;
constexpr std::array products = {
    Row{"MatMul", "", 0, 1, no_slot, false},
    Row{"Gemm", "", 0, 1, 2, true},
    Row{"MatMulInteger", "", 0, 1, no_slot, false},
    Row{"QLinearMatMul", "", 0, 3, no_slot, false},
    Row{"FusedMatMul", microsoft, 0, 1, no_slot, false},
    Row{"FusedGemm", microsoft, 0, 1, 2, true},
    Row{"GemmFloat8", microsoft, 0, 1, 2, true},
    Row{"MatMulIntegerToFloat", microsoft, 0, 1, 6, false},
    Row{"DynamicQuantizeMatMul", microsoft, 0, 1, 4, false},
};

const Row* find_row(const Node& node) {
  const auto it = std::find_if(products.begin(), products.end(),
                               [&](const Row& row) { return row.op == node.op && row.domain == node.domain; });
  return it == products.end() ? nullptr : &*it;
}

ValueId slot(const std::vector<ValueId>& values, std::size_t i) {
  return i < values.size() ? values[i] : ValueId::none;
}

// An extent of axes [from, to) of a value.
Extent span_extent(const FactTable& table, ValueId value, int from, int to) {
  if (from >= to) return {.dim = Dim::of(1), .value = value, .axis = -1};
  const auto& dims = *table.types().of(value).dims;
  const std::span<const Dim> part(dims.data() + from, static_cast<std::size_t>(to - from));
  return {.dim = product(part), .value = value, .axis = to - from == 1 ? from : -1};
}

// Looks through a Transpose of the last two axes.
ValueId fold(const FactTable& table, ValueId value, bool& transposed, NodeId& transpose) {
  if (value == ValueId::none) return value;
  const NodeId producer = table.model().value(value).producer;
  if (producer == NodeId::none) return value;
  const Node& node = table.model().node(producer);
  if (node.op != "Transpose" || !node.domain.empty() || !swaps_last_two(table, node)) return value;
  transposed = !transposed;
  transpose = producer;
  return node.inputs[0];
}

bool weight(const FactTable& table, ValueId value) { return table.model().constant(value) != nullptr; }

void set_contiguous(GemmShape& g) {
  (g.trans_a ? g.m_contiguous : g.k_contiguous) = true;
  (g.trans_b ? g.k_contiguous : g.n_contiguous) = true;
  g.n_contiguous = true;
}

std::optional<GemmShape> matrix_product(const FactTable& table, const Node& node, const Row& row) {
  GemmShape g;
  g.a = slot(node.inputs, row.a);
  g.b = slot(node.inputs, row.b);
  g.c = slot(node.inputs, row.c);
  g.y = slot(node.outputs, 0);
  if (g.a == ValueId::none || g.b == ValueId::none) return std::nullopt;
  g.trans_a = attribute(node, "transA", std::int64_t{0}) != 0;
  g.trans_b = attribute(node, "transB", std::int64_t{0}) != 0;
  const auto& types = table.types();
  if (!types.of(g.a).ranked() || !types.of(g.b).ranked()) return std::nullopt;
  if (types.of(g.a).rank() >= 2) g.a = fold(table, g.a, g.trans_a, g.transpose);
  if (types.of(g.b).rank() >= 2) g.b = fold(table, g.b, g.trans_b, g.transpose);
  const int ra = types.of(g.a).rank(), rb = types.of(g.b).rank();
  if (ra < 1 || rb < 1 || (row.gemm && (ra != 2 || rb != 2))) return std::nullopt;

  const int a_m = ra == 1 ? -1 : g.trans_a ? ra - 1 : ra - 2, a_k = ra == 1 ? 0 : g.trans_a ? ra - 2 : ra - 1;
  const int b_n = rb == 1 ? -1 : g.trans_b ? rb - 2 : rb - 1, b_k = rb == 1 ? 0 : g.trans_b ? rb - 1 : rb - 2;
  const auto at = [&](ValueId value, int axis) { return span_extent(table, value, axis, axis + 1); };
  const Extent k_of_a = at(g.a, a_k), k_of_b = at(g.b, b_k);
  const bool from_b = (weight(table, g.b) && !weight(table, g.a)) || !k_of_a.dim.known();
  g.k = from_b && (k_of_b.dim.known() || !k_of_a.dim.known()) ? k_of_b : k_of_a;
  if (b_n >= 0) g.n = at(g.b, b_n);
  if (rb <= 2 && !g.trans_a) {
    g.m = span_extent(table, g.a, 0, ra - 1);  // leading dims fold into M
  } else {
    if (a_m >= 0) g.m = at(g.a, a_m);
    // The batch is what the leading dims broadcast to: those of the output.
    const ValueType* y = g.y == ValueId::none ? nullptr : &types.of(g.y);
    const int inner = (a_m >= 0 ? 1 : 0) + (b_n >= 0 ? 1 : 0);
    if (y && y->ranked() && y->rank() >= inner)
      g.batch = span_extent(table, g.y, 0, y->rank() - inner);
    else
      g.batch = {.dim = Dim{}, .value = ValueId::none, .axis = -1};
  }
  set_contiguous(g);
  return g;
}

// Weights packed at a few bits: A[.., K] x B[N, K], sizes in attributes.
std::optional<GemmShape> packed_product(const FactTable& table, const Node& node) {
  GemmShape g;
  g.a = slot(node.inputs, 0);
  g.b = slot(node.inputs, 1);
  g.y = slot(node.outputs, 0);
  const auto k = attribute(node, "K", std::int64_t{0}), n = attribute(node, "N", std::int64_t{0});
  if (g.a == ValueId::none || k <= 0 || n <= 0 || !table.types().of(g.a).ranked()) return std::nullopt;
  g.k = {.dim = Dim::of(k), .value = g.b, .axis = -1};
  g.n = {.dim = Dim::of(n), .value = g.b, .axis = -1};
  g.m = span_extent(table, g.a, 0, table.types().of(g.a).rank() - 1);
  g.trans_b = true;
  g.block = attribute(node, "block_size", std::int64_t{0});
  set_contiguous(g);
  return g;
}

// "bhqd, bhkd -> bhqk": an ellipsis stands for as many labels as the rank leaves over, numbered from its right end.
std::optional<std::vector<int>> labels(std::string_view term, int rank) {
  std::vector<int> out;
  const auto dots = term.find("...");
  const auto letters = std::count_if(term.begin(), term.end(), [](char c) { return c != '.' && c != ' '; });
  const int hidden = rank < 0 ? 0 : rank - static_cast<int>(letters);
  if (dots == std::string_view::npos ? hidden != 0 && rank >= 0 : hidden < 0) return std::nullopt;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (i == dots) {
      for (int j = hidden; j > 0; --j) out.push_back(256 + j);
      i += 2;
    } else if (term[i] != ' ') {
      out.push_back(static_cast<unsigned char>(term[i]));
    }
  }
  return out;
}

std::optional<GemmShape> einsum_product(const FactTable& table, const Node& node) {
  if (node.inputs.size() != 2) return std::nullopt;
  const std::string equation = attribute(node, "equation", "");
  const auto comma = equation.find(','), arrow = equation.find("->");
  if (comma == std::string::npos || arrow == std::string::npos || arrow < comma) return std::nullopt;
  GemmShape g;
  g.a = node.inputs[0];
  g.b = node.inputs[1];
  g.y = slot(node.outputs, 0);
  if (g.a == ValueId::none || g.b == ValueId::none || g.y == ValueId::none) return std::nullopt;
  const auto& types = table.types();
  const std::string_view text = equation;
  if (!types.of(g.a).ranked() || !types.of(g.b).ranked()) return std::nullopt;
  const auto a = labels(text.substr(0, comma), types.of(g.a).rank());
  const auto b = labels(text.substr(comma + 1, arrow - comma - 1), types.of(g.b).rank());
  const auto y = labels(text.substr(arrow + 2), types.of(g.y).rank());
  if (!a || !b || !y || a->empty() || b->empty()) return std::nullopt;

  const auto has = [](const std::vector<int>& list, int label) {
    return std::find(list.begin(), list.end(), label) != list.end();
  };
  const auto repeats = [](std::vector<int> list) {
    std::sort(list.begin(), list.end());
    return std::adjacent_find(list.begin(), list.end()) != list.end();
  };
  g.repeated_label = repeats(*a) || repeats(*b);
  std::map<int, bool> seen;
  std::map<const Extent*, int> axes;  // how many axes each extent has taken
  const auto take = [&](Extent& extent, ValueId value, std::size_t axis) {
    const Dim& dim = (*types.of(value).dims)[axis];
    extent.dim = times(extent.dim, dim);
    extent.value = value;
    extent.axis = axes[&extent]++ == 0 ? static_cast<int>(axis) : -1;
  };
  const auto role = [&](int label) -> Extent& {
    const bool in_a = has(*a, label), in_b = has(*b, label), in_y = has(*y, label);
    if (in_a && in_b) return in_y ? g.batch : g.k;
    return in_a ? g.m : g.n;  // a label of one operand that is summed away counts as work all the same
  };
  const bool weights_b = weight(table, g.b);
  for (const bool first : {!weights_b, weights_b}) {
    const auto& list = first ? *a : *b;
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!std::exchange(seen[list[i]], true)) take(role(list[i]), first ? g.a : g.b, i);
  }
  for (const auto* list : {&*a, &*b, &*y}) {
    if (list->empty()) continue;
    const Extent& last = role(list->back());
    if (&last == &g.m) g.m_contiguous = true;
    if (&last == &g.n) g.n_contiguous = true;
    if (&last == &g.k) g.k_contiguous = true;
  }
  g.trans_a = &role(a->back()) == &g.m;
  g.trans_b = &role(b->back()) == &g.k;
  return g;
}

}  // namespace

Dim times(const Dim& a, const Dim& b) {
  if (a.known() && a.extent == 1 && a.depends == 0) return b;
  if (b.known() && b.extent == 1 && b.depends == 0) return a;
  Dim out;
  out.depends = a.depends | b.depends;
  out.origin = std::max(a.origin, b.origin);
  if (a.known() && b.known()) {
    out.kind = Dim::Kind::value;
    const std::int64_t both[] = {a.extent, b.extent};
    out.extent = element_count(both);
  }
  return out;
}

Dim product(std::span<const Dim> dims) {
  Dim out = Dim::of(1);
  for (const Dim& dim : dims) out = times(out, dim);
  return out;
}

bool swaps_last_two(const FactTable& table, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] == ValueId::none) return false;
  const int rank = table.types().of(node.inputs[0]).rank();
  const auto perm = attribute_ints(node, "perm");
  if (rank < 2) return false;
  if (!perm) return rank == 2;
  if (static_cast<int>(perm->size()) != rank) return false;
  for (int i = 0; i < rank - 2; ++i)
    if ((*perm)[static_cast<std::size_t>(i)] != i) return false;
  return (*perm)[static_cast<std::size_t>(rank - 2)] == rank - 1;
}

DType dequantised_from(const FactTable& table, ValueId value) {
  if (value == ValueId::none || table.model().value(value).producer == NodeId::none) return DType::undefined;
  const Node& node = table.model().node(table.model().value(value).producer);
  if (node.op != "DequantizeLinear" || node.inputs.empty() || node.inputs[0] == ValueId::none) return DType::undefined;
  return table.types().of(node.inputs[0]).dtype;
}

bool is_gemm(const Node& node) {
  return find_row(node) || (node.op == "Einsum" && node.domain.empty()) ||
         (node.op == "MatMulNBits" && node.domain == microsoft);
}

std::optional<GemmShape> gemm_shape(const FactTable& table, NodeId id) {
  const Node& node = table.model().node(id);
  std::optional<GemmShape> g;
  if (const Row* row = find_row(node))
    g = matrix_product(table, node, *row);
  else if (node.op == "Einsum" && node.domain.empty())
    g = einsum_product(table, node);
  else if (node.op == "MatMulNBits" && node.domain == microsoft)
    return packed_product(table, node);
  if (!g) return g;
  const DType a = table.types().of(g->a).dtype;
  const auto da = dequantised_from(table, g->a), db = dequantised_from(table, g->b);
  if (da != DType::undefined && db != DType::undefined && bits(da) <= 8)
    g->quantised = da;
  else if (bits(a) <= 8 && a != DType::boolean && bits(a) > 0)
    g->quantised = a;
  else if (node.op == "DynamicQuantizeMatMul")
    g->quantised = table.types().of(g->b).dtype;
  return g;
}

}  // namespace aegis
