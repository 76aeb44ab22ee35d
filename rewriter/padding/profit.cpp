// The tests of the predicted gate, in their order: a user of GEMM size, arithmetic intensity, the gain of the nodes
// that the classes touch, the share of the model's time. Times come from the fact `cost` of both models, in both
// regimes (one kernel an operator, and fused); the worse one decides. NCHW convolutions are costed as aligned before
// and after, since the backends pad them by themselves, so they never pass here.
#include "rewriter/padding/profit.hpp"

#include <aegis/facts.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "ops/facts.hpp"
#include "rewriter/padding/emit.hpp"

namespace aegis::padding {
namespace {

constexpr double min_gain = 1.10, min_gain_with_border = 1.25, min_share = 0.005;

// One set of classes that share products.
struct Set {
  std::vector<const PaddedClass*> classes;
  std::set<NodeId> nodes;
  bool border = false;
};

struct Sums {
  aegis_pair before{}, after{};
};

class Judge {
 public:
  Judge(const ClassGraph& graph, const PaddingPlan& plan, FactTable& before, FactTable& after)
      : graph_(graph), plan_(plan), before_(before), after_(after) {}

  std::map<Point, Reason> run() {
    std::map<std::string, std::vector<Set>> equal;
    for (Set& set : sets()) equal[signature(set)].push_back(std::move(set));
    std::map<Point, Reason> out;
    for (const auto& [name, alike] : equal) {
      const std::optional<Reason> reason = judge(alike);
      if (!reason) continue;
      for (const Set& set : alike) {
        for (const PaddedClass* padded : set.classes) out.emplace(padded->root, *reason);
      }
    }
    return out;
  }

 private:
  bool product(NodeId node) {
    return before_.get<aegis_gemm>(node) != nullptr || before_.get<aegis_conv>(node) != nullptr ||
           before_.get<aegis_rnn>(node) != nullptr;
  }

  std::vector<Set> sets() {
    std::vector<Set> out;
    for (const PaddedClass& padded : plan_.padded) {
      const std::vector<NodeId> nodes = nodes_touching(graph_, padded.classes);
      Set merged{.classes = {&padded}, .nodes = {nodes.begin(), nodes.end()}, .border = !padded.borders.empty()};
      std::vector<Set> rest;
      for (Set& set : out) {
        const bool shares = std::any_of(nodes.begin(), nodes.end(),
                                        [&](NodeId node) { return set.nodes.contains(node) && product(node); });
        if (!shares) {
          rest.push_back(std::move(set));
          continue;
        }
        merged.classes.insert(merged.classes.begin(), set.classes.begin(), set.classes.end());
        merged.nodes.insert(set.nodes.begin(), set.nodes.end());
        merged.border = merged.border || set.border;
      }
      rest.push_back(std::move(merged));
      out = std::move(rest);
    }
    return out;
  }

  std::string signature(const Set& set) const {
    std::vector<std::string> lines;
    for (const PaddedClass* padded : set.classes) lines.push_back(fmt::format("{}>{}", padded->from, padded->to));
    for (const NodeId id : set.nodes) {
      const Node& node = graph_.model().node(id);
      std::string line(node.op);
      for (int axis = 0; axis < graph_.output_rank(node, 0); ++axis) {
        line += fmt::format(" {}", graph_.extent(graph_.output(node, 0, axis)));
      }
      lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    return fmt::format("{}", fmt::join(lines, ";"));
  }

  static void add(aegis_pair& sum, FactTable& facts, NodeId node) {
    if (const aegis_cost* cost = facts.get<aegis_cost>(node)) {
      sum.fused += cost->time_us.fused;
      sum.op += cost->time_us.op;
    }
  }

  // Slices at outputs are nodes of the model after alone.
  void add_borders(aegis_pair& sum, const Set& set) {
    for (const PaddedClass* padded : set.classes) {
      for (const Border& border : padded->borders) {
        const NodeId maker =
            after_.model().value(after_.model().find(graph_.model().value(border.value).name)).producer;
        if (maker != NodeId::none) add(sum, after_, maker);
      }
    }
  }

  std::optional<Reason> judge(const std::vector<Set>& alike) {
    const Set& one = alike.front();
    const NodeId at = one.nodes.empty() ? NodeId::none : *one.nodes.begin();
    bool sized = false, convolutions = false, others = false;
    double worth = 0, all = 0;
    for (const NodeId node : one.nodes) {
      if (!product(node)) continue;
      aegis_absence why = AEGIS_NOT_APPLICABLE;
      const aegis_cost* cost = before_.get<aegis_cost>(node, &why);
      if (cost == nullptr || std::isnan(cost->time_us.fused)) {
        return Reason{node, "unknown_dim",
                      fmt::format("{} has an extent that no binding gives, so no gain can be predicted",
                                  label(graph_.model(), node))};
      }
      const aegis_gemm* gemm = before_.get<aegis_gemm>(node);
      sized = sized || gemm == nullptr || (gemm->flags & AEGIS_GEMM_SIZED) != 0;
      const aegis_conv* conv = before_.get<aegis_conv>(node);
      const bool packed = conv != nullptr && (conv->flags & AEGIS_CONV_NHWC) == 0;
      (packed ? convolutions : others) = true;
      const aegis_roofline* roofline = before_.get<aegis_roofline>(node);
      all += cost->time_us.fused;
      if (roofline != nullptr && roofline->worth_padding == AEGIS_YES) worth += cost->time_us.fused;
    }
    if (!convolutions && !others) return Reason{at, "small_gain", "no operator of it carries a predicted gain"};
    if (convolutions && !others)
      return Reason{at, "backend_pads", "convolution libraries pad the channels of NCHW by themselves"};
    if (!sized) return Reason{at, "small_gain", "no product of it has M, N and K of at least 16"};
    if (worth < all / 2) return Reason{at, "memory_bound", "its products stay below half of the ridge point"};
    return gain(alike, at, convolutions);
  }

  std::optional<Reason> gain(const std::vector<Set>& alike, NodeId at, bool convolutions) {
    Sums sums;
    for (const Set& set : alike) {
      for (const NodeId node : set.nodes) {
        add(sums.before, before_, node);
        if (after_.model().node(node).alive) add(sums.after, after_, node);
      }
      add_borders(sums.after, set);
    }
    const aegis_cost* total = before_.get<aegis_cost>();
    const double ratio = std::min(sums.before.fused / sums.after.fused, sums.before.op / sums.after.op);
    const double wanted = alike.front().border ? min_gain_with_border : min_gain;
    if (!(ratio >= wanted)) {
      const std::string_view word = alike.front().border       ? "border_cost"
                                    : convolutions             ? "backend_pads"
                                    : wave_lost(alike.front()) ? "wave_crossing"
                                                               : "small_gain";
      return Reason{at, std::string(word),
                    fmt::format("a predicted {:.2f}x for the nodes it touches, {:.2f}x is wanted", ratio, wanted)};
    }
    if (total == nullptr) return std::nullopt;
    const double share = std::min((sums.before.fused - sums.after.fused) / total->time_us.fused,
                                  (sums.before.op - sums.after.op) / total->time_us.op);
    if (!(share >= min_share))
      return Reason{
          at, "small_gain",
          fmt::format("it would save {:.2f} % of the model's time, {:.1f} % is wanted", 100 * share, 100 * min_share)};
    return std::nullopt;
  }

  // The padded result fills the multiprocessors worse than before.
  bool wave_lost(const Set& set) {
    return std::any_of(set.nodes.begin(), set.nodes.end(), [&](NodeId node) {
      const aegis_waves *a = before_.get<aegis_waves>(node), *b = after_.get<aegis_waves>(node);
      return a != nullptr && b != nullptr && b->e_quant < 0.95 * a->e_quant;
    });
  }

  const ClassGraph& graph_;
  const PaddingPlan& plan_;
  FactTable &before_, &after_;
};

}  // namespace

namespace {

View view_of(const PassInput& input) {
  View view;
  if (input.compute != DType::undefined) view.planned = compute_of(input.compute);
  return view;
}

std::uint32_t dim_bit(std::string_view axis) {
  if (axis == "K") return AEGIS_K;
  if (axis == "N") return AEGIS_N;
  if (axis == "channels in") return AEGIS_CI;
  if (axis == "channels out") return AEGIS_CO;
  return 0;
}

}  // namespace

void best_multiples(const ClassGraph& graph, std::vector<Want>& wants, const PassInput& input) {
  if (input.target == nullptr || input.padding.multiple > 0) return;
  const TypeTable types = infer(graph.model(), input.binding != nullptr ? *input.binding : Binding{});
  FactTable facts(graph.model(), types, *input.target, view_of(input), input.evaluator);
  for (Want& want : wants) {
    const bool off = graph.extent(graph.members(want.root)[0]) % want.multiple != 0;
    const std::uint32_t dim = dim_bit(want.axis);
    if (dim == 0 || (!off && !input.padding.best)) continue;
    aegis_pad_in question{};
    question.struct_size = sizeof question;
    question.node = handle(want.node);
    question.dims = dim;
    question.best = 1;
    aegis_pad_out answer{};
    answer.struct_size = sizeof answer;
    if (facts.query(AEGIS_QUERY_PAD, &question, &answer) != AEGIS_OK) continue;
    if (answer.multiple > want.multiple && answer.multiple % want.multiple == 0) want.multiple = answer.multiple;
  }
}

Result<std::map<Point, Reason>> unprofitable(const ClassGraph& graph, const PaddingPlan& plan, const PassInput& input) {
  std::map<Point, Reason> out;
  if (plan.padded.empty()) return out;
  if (input.target == nullptr) {
    for (const PaddedClass& padded : plan.padded)
      out.emplace(padded.root, Reason{NodeId::none, "small_gain", "there is no target to predict a gain for"});
    return out;
  }
  PassOutput planned;
  emit(graph, plan, planned);
  const Model& model = graph.model();
  AEGIS_TRY(const Model padded, aegis::apply(model, planned.patches));
  const Binding binding = input.binding != nullptr ? *input.binding : Binding{};
  const TypeTable types = infer(model, binding), padded_types = infer(padded, binding);
  const View view = view_of(input);
  FactTable before(model, types, *input.target, view, input.evaluator);
  FactTable after(padded, padded_types, *input.target, view, input.evaluator);
  return Judge(graph, plan, before, after).run();
}

}  // namespace aegis::padding
