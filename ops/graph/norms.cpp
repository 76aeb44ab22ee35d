// LayerNormalization and RMSNormalization written out, Softmax written out, GELU and SiLU written out.
#include "ops/graph/norms.hpp"

#include <algorithm>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/graph/matcher.hpp"

namespace aegis {
namespace {

struct Norms : Matcher {
  using Matcher::Matcher;

  // Axes of a reduction, from attribute or input; nullopt when unknown, empty when all.
  std::optional<std::vector<std::int64_t>> axes(NodeId id) const {
    if (auto listed = attribute_ints(model.node(id), "axes")) return listed;
    if (const ValueId value = input(id, 1); value != ValueId::none) return known_integers(table, value);
    return std::vector<std::int64_t>{};
  }
  // Elements that a reduction folds together, when its axes are the last ones of its input.
  std::optional<Dim> trailing(NodeId id) const {
    const auto list = axes(id);
    const auto& type = table.types().of(input(id, 0));
    if (!list || list->empty() || !type.ranked()) return std::nullopt;
    std::vector<std::int64_t> sorted = *list;
    for (auto& axis : sorted) axis = axis < 0 ? axis + type.rank() : axis;
    std::sort(sorted.begin(), sorted.end());
    Dim n = Dim::of(1);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != type.rank() - static_cast<std::int64_t>(sorted.size() - i) || sorted[i] < 0) return std::nullopt;
      n = times(n, (*type.dims)[static_cast<std::size_t>(sorted[i])]);
    }
    return n;
  }

  // The node that squares a value: Pow(x, 2) or Mul(x, x).
  NodeId squared(ValueId value) const {
    for (const Use& use : model.value(value).uses) {
      if (is(use.node, "Mul") && input(use.node, 0) == value && input(use.node, 1) == value) return use.node;
      if (is(use.node, "Pow") && input(use.node, 0) == value && is_number(input(use.node, 1), 2)) return use.node;
    }
    return NodeId::none;
  }

  // Passes Casts, collecting them.
  ValueId past_casts(ValueId value, std::vector<NodeId>& nodes) const {
    for (NodeId cast = reader(value, "Cast"); cast != NodeId::none; cast = reader(value, "Cast")) {
      nodes.push_back(cast);
      value = output(cast);
    }
    return value;
  }

  // mean square -> Add epsilon -> Sqrt -> `x` divided by it; then scale and shift. Fills the instance's tail.
  bool tail(ValueId mean_square, ValueId x, PatternInstance& p) const {
    const NodeId add = reader(mean_square, "Add");
    if (add == NodeId::none) return false;
    p.epsilon = other(add, mean_square);
    p.epsilon_value = number(p.epsilon);
    p.nodes.push_back(add);
    NodeId divide = NodeId::none;
    if (const NodeId root = reader(output(add), "Sqrt"); root != NodeId::none) {
      p.nodes.push_back(root);
      divide = reader(output(root), "Div");
      if (divide != NodeId::none && input(divide, 1) != output(root)) return false;
      if (divide == NodeId::none || input(divide, 0) != x) {  // 1 / sqrt, then times x
        const NodeId inverse = divide != NodeId::none ? divide : reader(output(root), "Reciprocal");
        if (inverse == NodeId::none || (is(inverse, "Div") && !is_number(input(inverse, 0), 1))) return false;
        p.nodes.push_back(inverse);
        divide = reader(output(inverse), "Mul");
        if (divide == NodeId::none || other(divide, output(inverse)) != x) return false;
      }
    } else if (const NodeId power = reader(output(add), "Pow"); power != NodeId::none) {
      const auto exponent = number(input(power, 1));
      if (!exponent || *exponent != -0.5) return false;
      p.nodes.push_back(power);
      divide = reader(output(power), "Mul");
      if (divide == NodeId::none || other(divide, output(power)) != x) return false;
    } else {
      return false;
    }
    p.nodes.push_back(divide);
    p.out = output(divide);
    std::vector<NodeId> casts;
    const ValueId wide = past_casts(p.out, casts);
    if (const NodeId scale = reader(wide, "Mul"); scale != NodeId::none) {
      const ValueId weight = other(scale, wide);
      if (structure.constant(weight)) {
        p.nodes.insert(p.nodes.end(), casts.begin(), casts.end());
        p.nodes.push_back(scale);
        p.scale = weight;
        p.out = output(scale);
        if (const NodeId shift = reader(p.out, "Add");
            shift != NodeId::none && structure.constant(other(shift, p.out))) {
          p.nodes.push_back(shift);
          p.shift = other(shift, p.out);
          p.out = output(shift);
        }
      }
    }
    p.flags |= AEGIS_PATTERN_COMPLETE | AEGIS_PATTERN_SCALE_INVARIANT;
    return true;
  }

  std::optional<PatternInstance> layer_norm(NodeId mean) const {
    if (!is(mean, "ReduceMean")) return std::nullopt;
    const ValueId x = input(mean, 0);
    const auto n = trailing(mean);
    const NodeId centre = reader(output(mean), "Sub");
    if (!n || centre == NodeId::none || input(centre, 0) != x || input(centre, 1) != output(mean)) return std::nullopt;
    PatternInstance p{.kind = AEGIS_PATTERN_LAYER_NORM, .anchor = mean, .nodes = {mean, centre}, .in = x, .n = *n};
    p.min_opset = 17;
    p.fused_op = "LayerNormalization";
    std::vector<NodeId> casts;
    const ValueId wide = past_casts(output(centre), casts);
    const NodeId square = squared(wide);
    if (square == NodeId::none) return std::nullopt;
    p.nodes.insert(p.nodes.end(), casts.begin(), casts.end());
    p.nodes.push_back(square);
    const NodeId variance = reader(output(square), "ReduceMean");
    if (variance == NodeId::none || !trailing(variance)) return std::nullopt;
    p.nodes.push_back(variance);
    if (!tail(output(variance), output(centre), p)) return std::nullopt;
    return p;
  }

  std::optional<PatternInstance> rms_norm(NodeId mean) const {
    if (!is(mean, "ReduceMean")) return std::nullopt;
    const NodeId square = producer(input(mean, 0));
    if (square == NodeId::none) return std::nullopt;
    const ValueId x = input(square, 0);
    const auto n = trailing(mean);
    if (!n || x == ValueId::none || squared(x) != square) return std::nullopt;
    if (is(producer(x), "Sub")) return std::nullopt;  // the second half of a LayerNormalization
    PatternInstance p{.kind = AEGIS_PATTERN_RMS_NORM, .anchor = square, .nodes = {square, mean}, .in = x, .n = *n};
    p.min_opset = 23;
    p.fused_op = "RMSNormalization";
    if (!tail(output(mean), x, p)) return std::nullopt;
    return p;
  }

  // Exp -> ReduceSum -> Div, with or without the maximum taken off first; Log after it makes a LogSoftmax.
  std::optional<PatternInstance> softmax(NodeId exp) const {
    if (!is(exp, "Exp")) return std::nullopt;
    const ValueId e = output(exp);
    const NodeId sum = reader(e, "ReduceSum");
    if (sum == NodeId::none) return std::nullopt;
    const NodeId divide = reader(output(sum), "Div");
    if (divide == NodeId::none || input(divide, 0) != e || input(divide, 1) != output(sum)) return std::nullopt;
    PatternInstance p{.kind = AEGIS_PATTERN_SOFTMAX, .flags = AEGIS_PATTERN_COMPLETE, .anchor = exp};
    p.in = input(exp, 0);
    if (const NodeId centre = producer(p.in); is(centre, "Sub")) {
      const NodeId max = producer(input(centre, 1));
      if (is(max, "ReduceMax") && input(max, 0) == input(centre, 0)) {
        p.nodes = {max, centre};
        p.in = input(centre, 0);
        p.flags |= AEGIS_PATTERN_MAX_SUBTRACTED;
      }
    }
    for (const NodeId id : {exp, sum, divide}) p.nodes.push_back(id);
    p.out = output(divide);
    p.fused_op = "Softmax";
    p.min_opset = 13;
    if (const NodeId log = reader(p.out, "Log"); log != NodeId::none && model.value(p.out).uses.size() == 1) {
      p.kind = AEGIS_PATTERN_LOG_SOFTMAX;
      p.nodes.push_back(log);
      p.out = output(log);
      p.fused_op = "LogSoftmax";
    }
    p.n = trailing(sum).value_or(Dim{});
    return p;
  }

  std::optional<PatternInstance> log_sum_exp(NodeId exp) const {
    if (!is(exp, "Exp")) return std::nullopt;
    const NodeId sum = reader(output(exp), "ReduceSum");
    const NodeId log = sum == NodeId::none ? NodeId::none : reader(output(sum), "Log");
    if (log == NodeId::none) return std::nullopt;
    PatternInstance p{.kind = AEGIS_PATTERN_LOG_SUM_EXP, .flags = AEGIS_PATTERN_COMPLETE, .anchor = exp};
    p.nodes = {exp, sum, log};
    p.in = input(exp, 0);
    p.out = output(log);
    p.fused_op = "ReduceLogSumExp";
    p.min_opset = 13;
    if (is(producer(p.in), "Sub") && is(producer(input(producer(p.in), 1)), "ReduceMax"))
      p.flags |= AEGIS_PATTERN_MAX_SUBTRACTED;
    p.n = trailing(sum).value_or(Dim{});
    return p;
  }

  // 0.5 * x * (1 + erf(x / sqrt 2)), the factors in any order.
  std::optional<PatternInstance> gelu(NodeId erf) const {
    if (!is(erf, "Erf")) return std::nullopt;
    const NodeId scale = producer(input(erf, 0));
    const NodeId add = reader(output(erf), "Add");
    if (add == NodeId::none || !is_number(other(add, output(erf)), 1)) return std::nullopt;
    ValueId x = ValueId::none;
    if (is(scale, "Div") && is_number(input(scale, 1), 1.41421356)) x = input(scale, 0);
    if (is(scale, "Mul") && is_number(input(scale, 1), 0.70710678)) x = input(scale, 0);
    if (x == ValueId::none) return std::nullopt;
    PatternInstance p{.kind = AEGIS_PATTERN_GELU, .flags = AEGIS_PATTERN_COMPLETE, .anchor = scale};
    p.nodes = {scale, erf, add};
    p.in = x;
    NodeId last = reader(output(add), "Mul");
    if (last == NodeId::none) return std::nullopt;
    p.nodes.push_back(last);
    const ValueId factor = other(last, output(add));
    if (const NodeId half = producer(factor); is(half, "Mul") && other(half, x) != ValueId::none) {
      p.nodes.push_back(half);  // (0.5 x) * (1 + erf)
    } else if (const NodeId halved = reader(output(last), "Mul");
               halved != NodeId::none && is_number(other(halved, output(last)), 0.5)) {
      p.nodes.push_back(last = halved);
    } else {
      return std::nullopt;
    }
    p.out = output(last);
    p.fused_op = "Gelu";
    p.min_opset = 20;
    return p;
  }

  std::optional<PatternInstance> silu(NodeId sigmoid) const {
    if (!is(sigmoid, "Sigmoid")) return std::nullopt;
    const NodeId gate = reader(output(sigmoid), "Mul");
    if (gate == NodeId::none || other(gate, output(sigmoid)) != input(sigmoid, 0)) return std::nullopt;
    PatternInstance p{.kind = AEGIS_PATTERN_SILU, .flags = AEGIS_PATTERN_COMPLETE, .anchor = sigmoid};
    p.nodes = {sigmoid, gate};
    p.in = input(sigmoid, 0);
    p.out = output(gate);
    p.fused_op = "Swish";
    p.min_opset = 24;
    return p;
  }
};

}  // namespace

std::optional<PatternInstance> match_norm(FactTable& table, NodeId node) {
  const Norms norms(table);
  if (auto found = norms.layer_norm(node)) return found;
  if (auto found = norms.rms_norm(node)) return found;
  if (auto found = norms.softmax(node)) return found;
  if (auto found = norms.log_sum_exp(node)) return found;
  if (auto found = norms.gelu(node)) return found;
  return norms.silu(node);
}

}  // namespace aegis
