// Einsum: operands are contracted pairwise from the left. Each pair becomes one batched matrix product: labels of both
// operands that are needed later are its batch, labels of one operand its rows or columns, the others its depth.

#include <algorithm>
#include <map>

#include "ops/lower.hpp"

using namespace aegis;

namespace {

using Labels = std::string;

// A tensor under labels: a label that stands twice on an axis list walks the diagonal.
struct Operand {
  SlotId slot = no_slot;
  Labels labels;                        // each once
  std::map<char, std::int64_t> stride;  // 0 where the extent is 1
};

struct Equation {
  std::vector<Labels> operands;
  Labels output;
};

// The letters of an operand or of the result; an ellipsis becomes the labels \1, \2, ... counted from the right.
bool expand(const std::string& text, std::size_t ellipsis_axes, Labels& labels) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') {
      labels += text[i];
      continue;
    }
    if (text.compare(i, 3, "...") != 0) return false;
    for (std::size_t axis = ellipsis_axes; axis > 0; --axis) labels += static_cast<char>(axis);
    i += 2;
  }
  return true;
}

bool parse(Lowering& l, Equation& equation) {
  std::string text = attribute(l.node(), "equation", "");
  std::erase(text, ' ');
  const auto arrow = text.find("->");
  std::vector<std::string> terms(1);
  for (const char c : text.substr(0, arrow)) {
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  }
  if (terms.size() != l.inputs()) return false;
  std::size_t widest = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool dotted = terms[i].find('.') != std::string::npos;
    const std::size_t letters = terms[i].size() - (dotted ? 3 : 0), rank = l.dims(l.in(i)).size();
    if (dotted ? letters > rank : letters != rank) return false;
    const std::size_t hidden = rank - letters;
    widest = std::max(widest, hidden);
    Labels labels;
    if (!expand(terms[i], hidden, labels)) return false;
    equation.operands.push_back(labels);
  }
  if (arrow != std::string::npos) return expand(text.substr(arrow + 2), widest, equation.output);
  // Without an arrow: the ellipsis, then the letters that stand once, sorted.
  if (!expand("...", widest, equation.output)) return false;
  std::map<char, int> seen;
  for (const Labels& labels : equation.operands)
    for (const char c : labels) ++seen[c];
  for (const auto& [c, count] : seen)
    if (count == 1 && c > 31) equation.output += c;
  return true;
}

class Contraction {
 public:
  explicit Contraction(Lowering& l) : l_(l) {}

  Operand operand(SlotId slot, const Labels& labels) {
    Operand result{slot, {}, {}};
    const Dims step = strides(l_.dims(slot));
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::int64_t extent = l_.dims(slot)[i];
      auto [known, fresh] = extent_.emplace(labels[i], extent);
      if (!fresh && known->second != extent && extent != 1 && known->second != 1)
        l_.reject("extents of a label differ");
      known->second = std::max(known->second, extent);
      if (!result.stride.contains(labels[i])) result.labels += labels[i];
      result.stride[labels[i]] += extent == 1 ? 0 : step[i];
    }
    return result;
  }

  // The operand as a dense tensor with these labels; labels that it lacks repeat it.
  SlotId arranged(const Operand& x, const Labels& order) {
    CopyParams copy{.rank = static_cast<int>(order.size())};
    if (copy.rank > max_rank) {
      l_.reject("too many labels");
      return x.slot;
    }
    const Dims extents = of(order), dense = strides(extents);
    for (std::size_t i = 0; i < order.size(); ++i) {
      copy.extent[i] = extents[i];
      copy.out_stride[i] = dense[i];
      const auto stride = x.stride.find(order[i]);
      copy.in_stride[i] = stride == x.stride.end() ? 0 : stride->second;
    }
    const SlotId result = l_.temp(l_.type(x.slot), extents);
    l_.emit(copy, {x.slot}, {result});
    return result;
  }

  // Keeps the labels in `keep`. The result has the compute type unless it is the last.
  Operand contract(const Operand& a, const Operand& b, const Labels& keep, DType type) {
    Labels batch, rows, columns, depth;
    for (const char c : a.labels) {
      const bool both = b.stride.contains(c), kept = keep.find(c) != Labels::npos;
      (kept ? both ? batch : rows : depth) += c;
    }
    for (const char c : b.labels)
      if (!a.stride.contains(c)) (keep.find(c) != Labels::npos ? columns : depth) += c;
    GemmParams g{.m = volume(rows), .n = volume(columns), .k = volume(depth)};
    g.batch_rank = 1;
    g.batch[0] = volume(batch);
    g.a_stride[0] = g.m * g.k;
    g.b_stride[0] = g.k * g.n;
    const SlotId left = arranged(a, batch + rows + depth), right = arranged(b, batch + depth + columns);
    const Labels labels = batch + rows + columns;
    const SlotId result = l_.temp(type, of(labels));
    l_.emit(g, {left, right}, {result});
    return operand(result, labels);
  }

  Dims of(const Labels& labels) const {
    Dims dims;
    for (const char c : labels) dims.push_back(extent_.at(c));
    return dims;
  }
  std::int64_t volume(const Labels& labels) const { return element_count(of(labels)); }

 private:
  Lowering& l_;
  std::map<char, std::int64_t> extent_;
};

void lower_node(Lowering& l) {
  Equation equation;
  if (!parse(l, equation)) return l.reject("the equation does not fit the operands");
  Contraction contraction(l);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < equation.operands.size(); ++i)
    operands.push_back(contraction.operand(l.in(i), equation.operands[i]));
  for (const char c : equation.output)
    if (std::ranges::none_of(operands, [&](const Operand& x) { return x.stride.contains(c); }))
      return l.reject("a label of the result stands in no operand");
  if (l.failed()) return;
  const SlotId out = l.out();
  if (operands.size() == 1) {  // a sum over the labels that are not in the result
    Labels summed;
    for (const char c : operands[0].labels)
      if (equation.output.find(c) == Labels::npos) summed += c;
    const SlotId arranged = contraction.arranged(operands[0], equation.output + summed);
    if (l.failed()) return;
    if (summed.empty()) return l.alias(arranged, out);
    const auto kept = static_cast<std::uint32_t>(equation.output.size()),
               all = static_cast<std::uint32_t>(l.rank(arranged));
    return l.emit(ReduceParams{.kind = ReduceParams::Kind::sum, .axes = ((1u << all) - 1u) ^ ((1u << kept) - 1u)},
                  {arranged}, {out});
  }
  Operand so_far = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    Labels keep = equation.output;
    for (std::size_t later = i + 1; later < operands.size(); ++later) keep += operands[later].labels;
    const bool last = i + 1 == operands.size();
    so_far =
        contraction.contract(so_far, operands[i], keep, last ? l.type(out) : storage_type(compute_type(l.type(out))));
    if (l.failed()) return;
  }
  l.alias(contraction.arranged(so_far, equation.output), out);
}

}  // namespace

AEGIS_OP(einsum) = {
    .name = "Einsum",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::einsum,
    .risk = Risk::gemm,
    .lower = lower_node,
};
