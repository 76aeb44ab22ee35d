#include "validator/compare/output_judge.hpp"

#include <algorithm>

namespace aegis {
namespace {

void merge(std::optional<Metrics>& into, const Metrics& m) {
  if (!into) {
    into = m;
    return;
  }
  const bool finite = m.compared + m.new_nonfinite > 0, had = into->compared + into->new_nonfinite > 0;
  if (finite) {
    into->low = had ? std::min(into->low, m.low) : m.low;
    into->high = had ? std::max(into->high, m.high) : m.high;
  }
  into->elements += m.elements;
  into->compared += m.compared;
  into->equal += m.equal;
  into->new_nonfinite += m.new_nonfinite;
  into->reference_nonfinite += m.reference_nonfinite;
  into->bit_exact = into->bit_exact && m.bit_exact;
}

void worsen(Judgement& into, const Judgement& found, const std::string& set) {
  if (worst(into.verdict, found.verdict) == into.verdict) return;
  into = {.verdict = found.verdict, .reason = "set " + set + ": " + found.reason};
}

// Enough spread to tell one network from another.
bool informative(const Metrics& m) { return m.compared > 0 && (m.high > m.low || m.elements == 1); }

}  // namespace

OutputJudge::OutputJudge(std::string name, Gate gate, std::optional<FinalActivation> last, std::string operand_name,
                         bool constant_by_right)
    : gate_(std::move(gate)),
      last_(last),
      operand_name_(std::move(operand_name)),
      constant_by_right_(constant_by_right) {
  worst_.name = std::move(name);
}

bool OutputJudge::keep_worst(const Metrics& m, const std::vector<std::int64_t>& dims, const std::string& set) {
  const auto rel = m.rel_l2(), snr = m.snr_db(), cosine = m.cosine();
  const bool largest = rel && (!worst_.rel_l2 || *rel > *worst_.rel_l2);
  if (largest) {
    worst_.rel_l2 = rel;
    worst_.snr_db = snr;
    worst_.worst_set = set;
  }
  if (cosine && (!worst_.cosine || *cosine < *worst_.cosine)) worst_.cosine = cosine;
  if (m.numeric) worst_.max_ulp = std::max(worst_.max_ulp.value_or(0), m.max_ulp);
  if (m.max_abs_at >= 0 && (worst_.max_abs_index.empty() || m.max_abs > worst_.max_abs)) {
    worst_.max_abs = m.max_abs;
    worst_.max_abs_index = unflatten(m.max_abs_at, dims);
    worst_.max_abs_before = m.max_abs_before;
    worst_.max_abs_after = m.max_abs_after;
  }
  return largest;
}

Result<void> OutputJudge::add(const std::string& set, const Tensor& before, const Tensor& after,
                              const Tensor* operand_before, const Tensor* operand_after) {
  AEGIS_TRY(const Metrics m, compare(before, after));
  std::optional<Metrics> operand;
  if (operand_before && operand_after) {
    AEGIS_TRY(operand, compare(*operand_before, *operand_after));
    merge(operand_all_, *operand);
    worsen(operand_verdict_, judge(*operand, gate_), set);
    if (const auto snr = operand->snr_db()) operand_snr_ = std::min(*snr, operand_snr_.value_or(*snr));
  }
  ++sets_;
  worst_.numeric = m.numeric;
  const bool largest = keep_worst(m, before.dims, set);
  merge(all_, m);
  if (const auto hits = row_hits(before, after)) {
    hits_.rows += hits->rows;
    hits_.top1 += hits->top1;
    hits_.top5 += hits->top5;
    hits_.five = hits->five;
  }
  Judgement found = judge(m, gate_);
  if (found.verdict != Verdict::pass && !gate_.bits && m.new_nonfinite == 0 &&
      degenerate_reason(m, true, last_, operand ? &*operand : nullptr)) {
    found = operand && informative(*operand) ? judge(*operand, gate_) : Judgement{Verdict::degenerate, found.reason};
    rescued_ = true;
  }
  const bool as_bad = largest && found.verdict == verdict_.verdict && found.verdict != Verdict::pass;
  if (as_bad || worst(verdict_.verdict, found.verdict) != verdict_.verdict) {
    deciding_set_ = set;
    verdict_ = {.verdict = found.verdict, .reason = "set " + set + ": " + found.reason};
  }
  return {};
}

OutputAccuracy OutputJudge::finish() const {
  OutputAccuracy out = worst_;
  if (!all_) return out;
  if (!deciding_set_.empty()) out.worst_set = deciding_set_;
  out.new_nonfinite = all_->new_nonfinite;
  out.bit_exact = all_->bit_exact;
  out.equal_share = all_->equal_share();
  out.gate = gate_.text(out.numeric);
  out.verdict = verdict_.verdict;
  out.reason = verdict_.reason;
  if (hits_.rows > 0) {
    out.top1 = wilson(hits_.top1, hits_.rows);
    if (hits_.five) out.top5 = wilson(hits_.top5, hits_.rows);
  }
  if (constant_by_right_) return out;
  const auto why = degenerate_reason(*all_, false, last_, operand_all_ ? &*operand_all_ : nullptr);
  if (!why && !rescued_) return out;
  const bool judgeable = operand_all_ && informative(*operand_all_);
  out.degenerate = OutputAccuracy::Degenerate{.why = why.value_or("saturated in one of the sets"),
                                              .gated_on = judgeable ? operand_name_ : "",
                                              .gated_snr_db = {}};
  if (judgeable) out.degenerate->gated_snr_db = operand_snr_;
  // In some sets only: those were judged on the operand, the others as they are.
  if (!why || (out.verdict == Verdict::fail && (gate_.bits || out.new_nonfinite > 0))) return out;
  if (judgeable) {
    out.verdict = operand_verdict_.verdict;
    out.reason = operand_verdict_.reason;
  } else {
    out.verdict = Verdict::degenerate;
    out.reason = "the output is " + *why + " on these inputs, which proves nothing; give real inputs with --inputs";
  }
  return out;
}

}  // namespace aegis
