#include "validator/compare/localise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ops/op.hpp"
#include "validator/compare/crop.hpp"
#include "validator/compare/metrics.hpp"
#include "validator/compare/observers.hpp"
#include "validator/compare/pairing.hpp"
#include "validator/inputs/read_inputs.hpp"

namespace aegis {
namespace {

constexpr double blame_factor = 4, fragile_amplification = 8;

bool is_product(const Node& node) {
  const Op* op = find_op(node.domain, node.op);
  return op && (op->cost.kind == CostClass::gemm || op->cost.kind == CostClass::conv);
}

struct Error2 {
  bool comparable = false, nonfinite = false;
  bool differs = false;       // in its bits
  std::optional<double> rel;  // absent when no relative error exists
  double or_huge() const { return nonfinite ? INFINITY : rel.value_or(INFINITY); }
};

class Search {
 public:
  Search(const LocaliseInput& in, const Recorder& before, const Recorder& after)
      : in_(in), pairing_(*in.before, *in.after), before_(before), after_(after) {}

  std::optional<FirstBad> run() {
    // In the order in which one of them is named: a value that is not finite explains everything behind it.
    std::optional<FirstBad> nonfinite, to_blame, fragile, spoilt;
    std::set<NodeId> done;
    for (const Recorder::Seen& seen : after_.order()) {
      const Error2 cumulative = error_of(seen.value, after_.find(seen.value));
      cumulative_.emplace(seen.value, cumulative);
      if (!cumulative.comparable || !bad(cumulative, 0) || seen.node == NodeId::none) continue;
      const Node& node = in_.after->node(seen.node);
      const auto [inherited, inherits_nonfinite] = inherited_error(node);
      FirstBad here = describe(node, seen.value, cumulative, inherited);
      const Error2 local = done.insert(node.id).second ? local_error(node) : local_[node.id];
      local_[node.id] = local;
      if (local.comparable && !local.nonfinite) here.local_rel_l2 = local.rel;
      const auto note = [&](std::optional<FirstBad>& place, const char* kind) {
        place = here;
        place->kind = kind;
      };
      if (cumulative.nonfinite && !inherits_nonfinite) {
        note(nonfinite, "nonfinite");
        break;
      }
      const double expected = blame_factor * expected_local_error(in_.change, is_product(node));
      if (!to_blame && local.comparable && bad(local, expected)) note(to_blame, "local");
      const double amplification = here.amplification.value_or(0);
      if (!spoilt && amplification > fragile_amplification && cumulative.or_huge() > in_.gate_rel_l2 / 4 &&
          (!fragile || amplification > *fragile->amplification))
        note(fragile, "fragile");
      if (!spoilt && cumulative.or_huge() > in_.gate_rel_l2) note(spoilt, "accumulated");
    }
    for (auto* found : {&nonfinite, &to_blame, &fragile, &spoilt})
      if (*found) return *found;
    return std::nullopt;
  }

 private:
  // Where bits are promised, a changed bit is bad even if no number changed.
  bool bad(const Error2& error, double expected) const {
    const bool bits = in_.change == ChangeClass::exact || in_.change == ChangeClass::same;
    return bits ? error.differs : error.or_huge() > expected;
  }

  const Tensor* reference(ValueId before) const {
    if (const Tensor* seen = before_.find(before)) return seen;
    const auto fed = in_.feeds_before.find(std::string(in_.before->value(before).name));
    return fed == in_.feeds_before.end() ? nullptr : &fed->second;
  }

  // How far a tensor is from the counterpart of the value that it is a result of.
  Error2 error_of(ValueId value, const Tensor* found) const {
    const Pair pair = pairing_.of(value);
    const Tensor* expected = pair.before == ValueId::none ? nullptr : reference(pair.before);
    if (!expected || !found) return {};
    const auto valid = counterpart(*found, expected->dims, pair.axes);
    if (!valid) return {};
    const auto m = compare(*expected, *valid);
    if (!m) return {};
    Error2 error{.comparable = true, .nonfinite = m->new_nonfinite > 0, .differs = !m->bit_exact, .rel = m->rel_l2()};
    if (!m->numeric || m->compared == 0) error.rel = 1 - m->equal_share();
    return error;
  }

  // The largest error among a node's inputs, and whether one of them is not finite where it should be.
  std::pair<std::optional<double>, bool> inherited_error(const Node& node) const {
    std::optional<double> most;
    bool nonfinite = false;
    for (const ValueId input : node.inputs) {
      const auto at = cumulative_.find(input);
      if (at == cumulative_.end() || !at->second.comparable) continue;
      nonfinite = nonfinite || at->second.nonfinite;
      if (at->second.rel) most = std::max(*at->second.rel, most.value_or(0));
    }
    return {most, nonfinite};
  }

  FirstBad describe(const Node& node, ValueId value, const Error2& cumulative, std::optional<double> inherited) const {
    FirstBad place;
    place.scope = in_.after->scope(node.scope).path;
    place.node = label(*in_.after, node.id);
    place.op = std::string(node.op);
    place.value = std::string(in_.after->value(value).name);
    if (!cumulative.nonfinite) place.cumulative_rel_l2 = cumulative.rel;
    if (inherited && *inherited > 0 && cumulative.rel) place.amplification = *cumulative.rel / *inherited;
    return place;
  }

  // A node's input as the reference has it, in the type and extents that the node reads in `after`. A value without a
  // counterpart (a new cast, a padded copy) is computed from those in front of it.
  const Tensor* reference_input(ValueId value, int depth) {
    if (const auto at = inputs_.find(value); at != inputs_.end()) return at->second ? &*at->second : nullptr;
    auto& made = inputs_.emplace(value, std::nullopt).first->second;
    made = make_reference_input(value, depth);
    return made ? &*made : nullptr;
  }

  std::optional<Tensor> make_reference_input(ValueId value, int depth) {
    if (const TensorSource* constant = in_.after->constant(value)) {
      auto tensor = constant->read();
      return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
    }
    const Value& v = in_.after->value(value);
    const Tensor* actual = after_.find(value);
    if (v.input && !actual) {
      const auto fed = in_.feeds_after.find(std::string(v.name));
      return fed == in_.feeds_after.end() ? std::nullopt : std::optional(fed->second);
    }
    const Pair pair = pairing_.of(value);
    const Tensor* expected = pair.before == ValueId::none ? nullptr : reference(pair.before);
    if (!actual || !expected) return recompute(v, depth);
    Tensor typed = *expected;
    if (typed.type != actual->type) {
      const auto values = to_doubles(typed);
      if (!values || !is_float(actual->type)) return std::nullopt;
      typed = from_doubles(actual->type, typed.dims, *values);
    }
    if (typed.dims == actual->dims) return typed;
    auto spread = embed(typed, actual->dims, pair.axes);
    return spread ? std::optional(*std::move(spread)) : std::nullopt;
  }

  std::optional<Tensor> recompute(const Value& value, int depth) {
    constexpr int deepest = 16;
    if (value.producer == NodeId::none || depth >= deepest) return std::nullopt;
    const Node& node = in_.after->node(value.producer);
    const auto outputs = evaluate(node, depth + 1);
    for (std::size_t i = 0; i < std::min(outputs.size(), node.outputs.size()); ++i)
      if (node.outputs[i] == value.id) return outputs[i];
    return std::nullopt;
  }

  // A node alone, on the reference's inputs; empty when one of them is not at hand or the node cannot be run alone.
  std::vector<Tensor> evaluate(const Node& node, int depth) {
    if (!node.bodies.empty() || node.function != ScopeId::none) return {};
    std::vector<const Tensor*> inputs(node.inputs.size(), nullptr);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] == ValueId::none) continue;
      inputs[i] = reference_input(node.inputs[i], depth);
      if (!inputs[i]) return {};
    }
    auto outputs = CpuEvaluator().evaluate(*in_.after, node, inputs);
    return outputs ? *std::move(outputs) : std::vector<Tensor>();
  }

  Error2 local_error(const Node& node) {
    const std::vector<Tensor> outputs = evaluate(node, 0);
    Error2 most;
    for (std::size_t i = 0; i < std::min(outputs.size(), node.outputs.size()); ++i) {
      if (node.outputs[i] == ValueId::none) continue;
      const Error2 error = error_of(node.outputs[i], &outputs[i]);
      if (error.comparable && (!most.comparable || error.or_huge() > most.or_huge())) most = error;
    }
    return most;
  }

  const LocaliseInput& in_;
  Pairing pairing_;
  const Recorder& before_;
  const Recorder& after_;
  std::map<ValueId, Error2> cumulative_;
  std::map<NodeId, Error2> local_;
  std::map<ValueId, std::optional<Tensor>> inputs_;
};

}  // namespace

double expected_local_error(ChangeClass change, bool product) {
  switch (change) {
    case ChangeClass::exact:
    case ChangeClass::same: return 0;
    case ChangeClass::rescaled:
    case ChangeClass::close: return 1e-6;
    case ChangeClass::tf32: return product ? 2.9e-4 : 1e-6;
    case ChangeClass::f16: return product ? 3.6e-4 : 2.1e-4;
    case ChangeClass::bf16: return product ? 2.9e-3 : 1.7e-3;
  }
  return 0;
}

Result<Localisation> localise(const LocaliseInput& in) {
  Recorder before(in.run.max_bytes / 4), after(in.run.max_bytes / 4);
  const auto record = [&](const Model& model, const Feeds& feeds, Recorder& into) -> Result<void> {
    RunOptions options = in.run;
    options.observer = &into;
    const auto ran = aegis::run(model, feeds, options);
    if (!ran) return ran.error();
    return {};
  };
  AEGIS_CHECK(record(*in.before, in.feeds_before, before));
  AEGIS_CHECK(record(*in.after, in.feeds_after, after));
  Localisation found{.first_bad = Search(in, before, after).run(), .limits = {}};
  if (before.full() || after.full())
    found.limits.push_back(
        fmt::format("localisation looked at the first {} values alone: the rest did not fit into memory",
                    std::min(before.order().size(), after.order().size())));
  return found;
}

}  // namespace aegis
