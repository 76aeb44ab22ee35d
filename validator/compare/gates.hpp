// Gates: which metrics a change of a class must reach. docs/numerics.md derives each number.
#pragma once

#include <optional>
#include <string>

#include "validator/compare/agreement.hpp"
#include "validator/compare/metrics.hpp"
#include "validator/verdict.hpp"

namespace aegis {

struct Gate {
  bool bits = false;      // bit equality; the thresholds below do not count
  double pass_db = 0;     // at least: pass
  double warn_db = 0;     // at least: warn; less: fail
  double min_cosine = 0;  // less: no pass
  std::optional<double> max_rel_l2;
  // Share of equal elements of integer outputs (ArgMax, TopK, NonMaxSuppression).
  double pass_share = 0.99, warn_share = 0.95;

  std::string text(bool numeric) const;  // "snr >= 25 dB and cosine >= 0.998"
};

// `min_snr_db` replaces the thresholds of a class that has some; bit equality stays bit equality.
Gate gate_for(ChangeClass change, std::optional<double> min_snr_db = {}, std::optional<double> max_rel_l2 = {});

struct Judgement {
  Verdict verdict = Verdict::pass;
  std::string reason;  // what was found against what was expected; empty on a pass
};
Judgement judge(const Metrics& metrics, const Gate& gate);

}  // namespace aegis
