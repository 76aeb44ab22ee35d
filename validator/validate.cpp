#include "validator/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/out_of_memory.hpp"
#include "model/tensor_pb.hpp"
#include "validator/compare/localise.hpp"
#include "validator/compare/observers.hpp"
#include "validator/compare/output_judge.hpp"
#include "validator/compare/padding_check.hpp"
#include "validator/compare/pairing.hpp"
#include "validator/compare/task_score.hpp"
#include "validator/engines/engine.hpp"
#include "validator/inputs/files.hpp"
#include "validator/inputs/make_inputs.hpp"
#include "validator/inputs/read_inputs.hpp"
#include "validator/interface.hpp"

namespace aegis {
namespace {

constexpr double longest_deadline_s = 1e9;  // what a clock can count to from now

class Both final : public Observer {
 public:
  Both(Observer& first, Observer& second) : first_(first), second_(second) {}
  void value(NodeId node, ValueId id, const Tensor& tensor) override {
    first_.value(node, id, tensor);
    second_.value(node, id, tensor);
  }

 private:
  Observer& first_;
  Observer& second_;
};

// An output and, when it ends in an activation, the value in front of that in both models.
struct Watched {
  ValueId before = ValueId::none, after = ValueId::none;
  ValueId operand_before = ValueId::none, operand_after = ValueId::none;
  OutputJudge judge;
};

class Validating {
 public:
  Validating(const Model& before, const Model& after, const ValidateOptions& options)
      : before_(before), after_(after), options_(options), pairing_(before, after) {}

  Result<Validation> run() {
    AEGIS_TRY(engine_, find_engine(options_.engine));
    v_.engine = engine_->name();
    v_.threads = options_.threads;
    v_.change_inferred = !options_.change;
    v_.change = options_.change ? *options_.change : infer_change(before_, after_);
    v_.inputs.seed = options_.seed;
    v_.nodes_before = count_nodes(before_);
    v_.nodes_after = count_nodes(after_);
    v_.evidence = options_.inputs.empty() ? Basis::synthetic : Basis::user;
    v_.inputs.source = options_.inputs.empty() ? "synthetic" : options_.inputs;
    say_what_is_not_covered();
    if (!covered()) return std::move(v_);
    if (Result<void> ready = prepare_inputs(); !ready) {
      if (ready.error().fault != Fault::validation) return ready.error();
      not_run("before", ready.error());
      return std::move(v_);
    }
    if (const Result<void> matched = match(); !matched) {
      fail("interface", matched.error().message);
      return std::move(v_);
    }
    AEGIS_CHECK(read_task());
    watch_outputs();
    AEGIS_CHECK(run_sets());
    if (v_.reason.empty()) conclude();
    localise_if_needed();
    return std::move(v_);
  }

 private:
  static std::uint64_t count_nodes(const Model& model) {
    return static_cast<std::uint64_t>(std::ranges::count_if(model.nodes(), &Node::alive));
  }

  void fail(std::string reason, std::string detail) { end_with(Verdict::fail, std::move(reason), std::move(detail)); }

  // Nothing was compared: no pass, and nothing against the change either.
  void inconclusive(std::string reason, std::string detail) {
    end_with(Verdict::degenerate, std::move(reason), std::move(detail));
  }

  void end_with(Verdict verdict, std::string reason, std::string detail) {
    v_.verdict = verdict;
    v_.reason = std::move(reason);
    v_.detail = std::move(detail);
  }

  Result<void> prepare_inputs() {
    Binding binding = options_.binding;
    binding.assume = false;
    TypeTable types = infer(before_, binding);
    AEGIS_TRY(specs_, input_specs(before_, types));
    AEGIS_TRY(specs_after_, input_specs(after_, infer(after_, binding)));
    const bool user = !options_.inputs.empty();
    if (!user) {
      binding.assume = true;
      types = infer(before_, binding);
      AEGIS_TRY(feeds_,
                make_inputs(before_, types, specs_,
                            MakeOptions{.sets = options_.sets, .seed = options_.seed, .ranges = options_.ranges}));
      v_.inputs.symbols = types.symbols;
    } else {
      AEGIS_TRY(feeds_, read_inputs(options_.inputs, specs_));
    }
    v_.inputs.planned = feeds_.sets.size();
    v_.inputs.used = feeds_.used;
    v_.limits = feeds_.notes;
    return {};
  }

  Result<void> match() {
    AEGIS_TRY(interface_, match_interface(before_, after_, specs_, specs_after_));
    return {};
  }

  bool covered() {
    for (const auto& [model, which] : {std::pair(&before_, "before"), std::pair(&after_, "after")})
      for (const Unsupported& u : engine_->coverage(*model)) {
        const Node& node = model->node(u.node);
        NotRun entry{};
        entry.scope = model->scope(node.scope).path;
        entry.node = label(*model, u.node);
        entry.op = std::string(node.op);
        entry.model = which;
        entry.reason = u.reason;
        v_.not_run.push_back(std::move(entry));
      }
    if (v_.not_run.empty()) return true;
    inconclusive("not_run", fmt::format("{} nodes cannot be run by engine {}", v_.not_run.size(), engine_->name()));
    return false;
  }

  Result<void> read_task() {
    if (options_.labels.empty()) return {};
    if (options_.inputs.empty())
      return Error{.fault = Fault::usage,
                   .code = {},
                   .message = "labels were given without inputs; give the data that they belong to with --inputs",
                   .where = options_.labels,
                   .notes = {}};
    AEGIS_TRY(std::vector<std::int64_t> labels, read_labels(options_.labels));
    score_.emplace(std::move(labels));
    return {};
  }

  void watch_outputs() {
    const Gate gate = gate_for(gate_class(), options_.min_snr_db, options_.max_rel_l2);
    for (std::size_t i = 0; i < before_.main().outputs.size(); ++i) {
      const ValueId b = before_.main().outputs[i], a = after_.main().outputs[i];
      const auto last = final_activation(before_, b), last_after = final_activation(after_, a);
      const bool tapped = last && last_after && before_.node(last->node).op == after_.node(last_after->node).op;
      Watched watched{.before = b,
                      .after = a,
                      .operand_before = ValueId::none,
                      .operand_after = ValueId::none,
                      .judge = OutputJudge(std::string(before_.value(b).name), gate, tapped ? last : std::nullopt,
                                           tapped ? std::string(before_.value(last->operand).name) : std::string(),
                                           !depends_on_inputs(before_, b))};
      if (tapped) {
        watched.operand_before = last->operand;
        watched.operand_after = last_after->operand;
        taps_before_.want(last->operand);
        taps_after_.want(last_after->operand);
      }
      watched_.push_back(std::move(watched));
    }
  }

  RunOptions run_options(Observer* observer) const {
    return RunOptions{
        .threads = options_.threads, .max_bytes = options_.max_host_bytes, .observer = observer, .deadline = deadline_};
  }

  // A run that could not be made is never a pass.
  void not_run(const char* which, const Error& error) {
    NotRun entry{};
    entry.scope = "/";
    entry.node = error.where;
    entry.model = which;
    entry.reason = error.message;
    v_.not_run.push_back(std::move(entry));
    inconclusive("not_run", fmt::format("{} could not be run: {}", which, error.message));
  }

  void out_of_time() {
    v_.limits.push_back(fmt::format("the deadline of {} s ended the run after {} of {} input sets", options_.deadline_s,
                                    v_.inputs.count, feeds_.sets.size()));
    if (v_.inputs.count == 0) inconclusive("deadline", v_.limits.back());
  }

  Result<void> run_sets() {
    PaddingCheck padding(after_, pairing_, v_.change);
    Both watch_after(taps_after_, padding);
    auto first = engine_->prepare(before_, run_options(&taps_before_));
    if (!first) return not_run("before", first.error()), Result<void>();
    auto second = engine_->prepare(after_, run_options(&watch_after));
    if (!second) return not_run("after", second.error()), Result<void>();
    for (std::size_t i = 0; i < feeds_.sets.size(); ++i) {
      if (std::chrono::steady_clock::now() > deadline_) {
        out_of_time();
        break;
      }
      const Feeds given = feeds_.feeds(i);
      AEGIS_TRY(const PairedFeeds feeds, pair_feeds(given, interface_));
      AEGIS_CHECK(save_inputs(i, feeds.before));
      taps_before_.clear();
      taps_after_.clear();
      const auto before = (*first)->run(feeds.before);
      if (!before && before.error().code == past_deadline) {
        out_of_time();
        break;
      }
      if (!before) return not_run("before", before.error()), Result<void>();
      const auto after = (*second)->run(feeds.after);
      if (!after && after.error().code == past_deadline) {
        out_of_time();
        break;
      }
      if (!after) return not_run("after", after.error()), Result<void>();
      for (std::size_t o = 0; o < watched_.size(); ++o) {
        compared_ += before->outputs[o].elements();
        auto judged = judge_output(watched_[o], feeds_.sets[i].label, before->outputs[o], after->outputs[o]);
        if (!judged)
          return fail("interface",
                      fmt::format("output '{}': {}", before_.value(watched_[o].before).name, judged.error().message)),
                 Result<void>();
      }
      if (score_) score_->add(before->outputs, after->outputs);
      ++v_.inputs.count;
      v_.inputs.samples += samples_of(given);
    }
    lane_fault_ = padding.fault();
    return finish_task();
  }

  Result<void> judge_output(Watched& w, const std::string& set, const Tensor& before, const Tensor& after) {
    const Tensor* operand_before = taps_before_.find(w.operand_before);
    const Tensor* operand_after = taps_after_.find(w.operand_after);
    Tensor cropped;
    if (operand_before && operand_after) {
      AEGIS_TRY(cropped, counterpart(*operand_after, operand_before->dims, pairing_.of(w.operand_after).axes));
      if (cropped.dims != operand_before->dims) operand_before = nullptr;
    }
    return w.judge.add(set, before, after, operand_before, operand_after ? &cropped : nullptr);
  }

  Result<void> save_inputs(std::size_t set, const Feeds& feeds) const {
    if (options_.save_inputs.empty()) return {};
    for (const InputSpec& spec : specs_) {
      const auto at = feeds.find(spec.name);
      if (at == feeds.end()) continue;
      AEGIS_CHECK(write_bytes(fmt::format("{}/test_data_set_{}/input_{}.pb", options_.save_inputs, set, spec.position),
                              tensor_to_pb(at->second, spec.name)));
    }
    return {};
  }

  // Leading extents, when all inputs of a set share one; else the set is one sample.
  static std::uint64_t samples_of(const Feeds& feeds) {
    std::int64_t lead = -1;
    for (const auto& [name, tensor] : feeds) {
      const std::int64_t here = tensor.dims.empty() ? -1 : tensor.dims.front();
      if (here < 1 || (lead >= 0 && here != lead)) return 1;
      lead = here;
    }
    return lead < 1 ? 1 : static_cast<std::uint64_t>(lead);
  }

  Result<void> finish_task() {
    if (!score_ || v_.inputs.count == 0) return {};
    const bool partial = v_.inputs.count < v_.inputs.planned || !feeds_.notes.empty();
    AEGIS_TRY(const TaskScore::Score score, score_->finish(partial, options_.labels));
    v_.evidence = Basis::task;
    v_.task = Validation::Task{.output = std::string(before_.value(before_.main().outputs[score.output]).name),
                               .n = score.n,
                               .top1_before = score.top1_before,
                               .top1_after = score.top1_after};
    return {};
  }

  void conclude() {
    v_.verdict = Verdict::pass;
    if (compared_ == 0) {
      v_.verdict = Verdict::degenerate;
      v_.reason = "degenerate";
      v_.detail =
          "no output has an element on these inputs, so that nothing was compared; give inputs that hold samples";
    }
    for (const Watched& w : watched_) {
      OutputAccuracy out = w.judge.finish();
      if (options_.min_top1 && !v_.task && out.top1 && out.top1->share < *options_.min_top1)
        spoil(out, fmt::format("{:.4g} % of the rows keep their first class, expected {:.4g} %", out.top1->share * 100,
                               *options_.min_top1 * 100));
      if (options_.min_top1 && v_.task && v_.task->output == out.name && v_.task->top1_after < *options_.min_top1)
        spoil(out, fmt::format("{:.4g} % of the samples are right after, expected {:.4g} %", v_.task->top1_after * 100,
                               *options_.min_top1 * 100));
      if (worst(v_.verdict, out.verdict) != v_.verdict) {
        v_.verdict = out.verdict;
        v_.reason = out.verdict == Verdict::degenerate ? "degenerate" : "gate";
        v_.detail = fmt::format("output '{}': {}", out.name, out.reason);
      }
      v_.outputs.push_back(std::move(out));
    }
    if (lane_fault_) fail("padding", lane_fault_->what);
    if (v_.inputs.count < v_.inputs.planned && v_.verdict == Verdict::pass) {
      v_.verdict = Verdict::warn;
      v_.reason = "deadline";
      v_.detail = v_.limits.back();
    }
  }

  static void spoil(OutputAccuracy& out, std::string why) {
    out.verdict = Verdict::fail;
    out.reason = std::move(why);
  }

  void localise_if_needed() {
    if (lane_fault_) {
      const Node& node = after_.node(lane_fault_->node);
      FirstBad bad;
      bad.scope = after_.scope(node.scope).path;
      bad.node = label(after_, node.id);
      bad.op = std::string(node.op);
      bad.value = std::string(after_.value(lane_fault_->value).name);
      bad.kind = "padding";
      v_.first_bad = std::move(bad);
      return;
    }
    if (v_.reason != "gate" || v_.outputs.empty()) return;
    const auto worst_output =
        std::ranges::max_element(v_.outputs, {}, [](const OutputAccuracy& o) { return o.verdict; });
    const auto set = std::ranges::find(feeds_.sets, worst_output->worst_set, &FeedSet::label);
    const auto which = set == feeds_.sets.end() ? 0 : set - feeds_.sets.begin();
    auto feeds = pair_feeds(feeds_.feeds(static_cast<std::size_t>(which)), interface_);
    if (!feeds) return;
    const Gate gate = gate_for(gate_class(), options_.min_snr_db, options_.max_rel_l2);
    const auto found = localise({.before = &before_,
                                 .after = &after_,
                                 .feeds_before = std::move(feeds->before),
                                 .feeds_after = std::move(feeds->after),
                                 .run = run_options(nullptr),
                                 .change = v_.change,
                                 .gate_rel_l2 = gate.bits ? 0 : std::pow(10.0, -gate.warn_db / 20)});
    if (!found) {
      v_.limits.push_back("no localisation: " + found.error().message);
      return;
    }
    v_.first_bad = found->first_bad;
    v_.limits.insert(v_.limits.end(), found->limits.begin(), found->limits.end());
  }

  // Bits are promised for the reference arithmetic alone: another engine may sum in another order for another size.
  ChangeClass gate_class() const {
    const bool strict =
        v_.change == ChangeClass::exact || v_.change == ChangeClass::same || v_.change == ChangeClass::rescaled;
    return strict && !engine_->observes() ? ChangeClass::close : v_.change;
  }

  void say_what_is_not_covered() {
    if (engine_->observes()) {
      v_.not_covered.push_back("your runtime's fusions and kernels");
      v_.not_covered.push_back("a second opinion (--engine ort)");
    } else {
      v_.not_covered.push_back("that runtime's fusions: its optimisations are off");
      v_.not_covered.push_back("what padding lanes hold: only outputs are seen");
    }
    if (options_.inputs.empty()) v_.not_covered.push_back("your data");
    v_.not_covered.push_back("speed");
  }

  const Model& before_;
  const Model& after_;
  const ValidateOptions& options_;
  const std::chrono::steady_clock::time_point deadline_ =
      std::chrono::steady_clock::now() +
      std::chrono::milliseconds(static_cast<std::int64_t>(std::min(options_.deadline_s, longest_deadline_s) * 1e3));
  Pairing pairing_;
  std::shared_ptr<const Engine> engine_;
  Validation v_;
  std::vector<InputSpec> specs_, specs_after_;
  FeedSets feeds_;
  Interface interface_;
  std::vector<Watched> watched_;
  Taps taps_before_, taps_after_;
  std::int64_t compared_ = 0;  // output elements over all sets
  std::optional<PaddingCheck::Fault> lane_fault_;
  std::optional<TaskScore> score_;
};

}  // namespace

Result<Validation> validate(const Model& before, const Model& after, const ValidateOptions& options) {
  return guarded([&] { return Validating(before, after, options).run(); });
}

}  // namespace aegis
