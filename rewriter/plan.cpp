#include "rewriter/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "model/out_of_memory.hpp"
#include "rewriter/soundness.hpp"

namespace aegis {
namespace {

Error broken(const std::string& pass, std::string what) {
  Error error;
  error.fault = Fault::internal;
  error.message =
      fmt::format("{}: {}, expected what was planned; this is a fault of aegis, please report it", pass, what);
  return error;
}

// Extents that both know must be the same.
bool agree(const ValueType& a, const ValueType& b) {
  if (a.kind != b.kind || a.dtype != b.dtype) return false;
  if (!a.ranked() || !b.ranked()) return true;
  if (a.rank() != b.rank()) return false;
  for (std::size_t axis = 0; axis < a.dims->size(); ++axis) {
    if ((*a.dims)[axis].equals((*b.dims)[axis]) == Answer::no) return false;
  }
  return true;
}

Result<void> same_interface(const std::string& pass, const Model& before, const TypeTable& types_before,
                            const Model& after, const TypeTable& types_after) {
  const auto listed = [](const Model& model, const std::vector<ValueId>& values) {
    std::vector<ValueId> real;  // IR 3 lists weights among the inputs
    for (const ValueId value : values) {
      if (model.constant(value) == nullptr || model.value(value).output) real.push_back(value);
    }
    return real;
  };
  for (const auto& [a, b] : {std::pair{&before.main().inputs, &after.main().inputs},
                             std::pair{&before.main().outputs, &after.main().outputs}}) {
    const std::vector<ValueId> old_values = listed(before, *a), new_values = listed(after, *b);
    if (old_values.size() != new_values.size()) return broken(pass, "the number of graph inputs or outputs changed");
    for (std::size_t i = 0; i < old_values.size(); ++i) {
      const Value& was = before.value(old_values[i]);
      const Value& is = after.value(new_values[i]);
      if (was.name != is.name) return broken(pass, fmt::format("graph value {} became {}", was.name, is.name));
      if (!agree(types_before.of(was.id), types_after.of(is.id)))
        return broken(pass, fmt::format("the type of graph value {} changed", was.name));
    }
  }
  return {};
}

Result<void> as_planned(const std::string& pass, const Model& before, const TypeTable& types_before,
                        const Model& after) {
  const TypeTable types = infer(after, {});
  std::set<NodeId> failed;
  for (const InferenceFailure& failure : types_before.failures) failed.insert(failure.node);
  for (const InferenceFailure& failure : types.failures) {
    if (!failed.contains(failure.node))
      return broken(pass,
                    fmt::format("{} has no valid types any more ({})", label(after, failure.node), failure.message));
  }
  AEGIS_CHECK(same_interface(pass, before, types_before, after, types));
  for (const auto& [id, origin] : after.origins()) {
    const ValueType& type = types.of(id);
    if (origin.kind != Origin::Kind::padded || !after.value(id).alive || !type.ranked()) continue;
    for (const Origin::Axis& axis : origin.axes) {
      std::int64_t total = 0;
      for (const auto& [valid, padding] : axis.runs) total += valid + padding;
      const bool there = axis.axis < type.rank();
      if (!there || (*type.dims)[static_cast<std::size_t>(axis.axis)].equals(Dim::of(total)) == Answer::no) {
        return broken(pass, fmt::format("axis {} of {} is not {} long", axis.axis, after.value(id).name, total));
      }
    }
  }
  return {};
}

class Rewriter {
 public:
  Rewriter(const Target* target, const Evaluator& evaluator, const Binding& binding, const RewriteRequest& request)
      : target_(target), evaluator_(evaluator), binding_(binding), request_(request) {}

  Result<void> stage(const Pass& pass, RewriteOutcome& outcome) const {
    const std::string name(pass.name);
    const Model before = outcome.model;
    const TypeTable types = infer(before, {});
    const PassInput input{.model = &before,
                          .types = &types,
                          .target = target_,
                          .evaluator = &evaluator_,
                          .binding = &binding_,
                          .padding = request_.padding,
                          .precision = request_.precision,
                          .compute = compute()};
    AEGIS_TRY(PassOutput output, pass.plan(input));
    Model after = before;
    if (!output.patches.empty()) {
      AEGIS_TRY(after, aegis::apply(before, output.patches));
      AEGIS_CHECK(as_planned(name, before, types, after));
    }
    outcome.stages.push_back({name, std::move(output), after});
    outcome.model = std::move(after);
    return {};
  }

 private:
  DType compute() const { return request_.compute != DType::undefined ? request_.compute : request_.precision.to; }

  const Target* target_;
  const Evaluator& evaluator_;
  const Binding& binding_;
  const RewriteRequest& request_;
};

std::vector<const Pass*> in_order(const RewriteRequest& request) {
  std::vector<const Pass*> wanted;
  std::ranges::copy_if(passes(), std::back_inserter(wanted), [&](const Pass* pass) { return pass->wanted(request); });
  std::ranges::sort(wanted, {}, &Pass::order);
  return wanted;
}

// A preparation goes when no later stage changes anything: then nothing needs it, a higher opset for one.
void drop_idle_preparations(const Model& model, RewriteOutcome& outcome) {
  std::vector<RewriteStage>& stages = outcome.stages;
  std::size_t kept = stages.size();
  while (kept > 0 && (stages[kept - 1].output.patches.empty() || prepares(stages[kept - 1]))) --kept;
  outcome.model = kept > 0 ? stages[kept - 1].after : model;
  const auto idle = stages.begin() + static_cast<std::ptrdiff_t>(kept);
  stages.erase(std::remove_if(idle, stages.end(), prepares), stages.end());
  for (std::size_t i = kept; i < stages.size(); ++i) stages[i].after = outcome.model;
}

void summarise(RewriteOutcome& outcome) {
  outcome.changed = false;
  outcome.safety = Safety::exact;
  outcome.same_bits = true;
  for (const RewriteStage& stage : outcome.stages) {
    for (const Patch& patch : stage.output.patches) {
      outcome.changed = true;
      outcome.safety = std::max(outcome.safety, patch.safety);
      outcome.same_bits = outcome.same_bits && (patch.safety == Safety::exact || patch.same_bits);
    }
  }
}

}  // namespace

const Pass* find_pass(std::string_view name) {
  for (const Pass* pass : passes()) {
    if (pass->name == name) return pass;
  }
  return nullptr;
}

bool prepares(const RewriteStage& stage) {
  const Pass* pass = find_pass(stage.pass);
  return pass != nullptr && pass->prepares;
}

Result<RewriteOutcome> rewrite(const Model& model, const Binding& binding, const Target* target,
                               const Evaluator& evaluator, const RewriteRequest& request) {
  return guarded([&]() -> Result<RewriteOutcome> {
    const Rewriter rewriter(target, evaluator, binding, request);
    RewriteOutcome outcome;
    outcome.model = model;
    const std::vector<const Pass*> wanted = in_order(request);
    if (!wanted.empty()) AEGIS_CHECK(check_sound(model, infer(model, binding)));
    for (const Pass* pass : wanted) AEGIS_CHECK(rewriter.stage(*pass, outcome));
    drop_idle_preparations(model, outcome);
    summarise(outcome);
    if (outcome.changed) AEGIS_CHECK(check_nodes(outcome.model, infer(outcome.model, binding)));
    return outcome;
  });
}

RewriteOutcome first_stages(const Model& model, const RewriteOutcome& outcome, std::size_t count) {
  RewriteOutcome out;
  out.model = model;
  for (std::size_t i = 0; i < std::min(count, outcome.stages.size()); ++i) {
    out.stages.push_back(outcome.stages[i]);
    out.model = outcome.stages[i].after;
  }
  summarise(out);
  return out;
}

}  // namespace aegis
