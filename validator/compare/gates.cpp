#include "validator/compare/gates.hpp"

#include <fmt/format.h>

namespace aegis {

Gate gate_for(ChangeClass change, std::optional<double> min_snr_db, std::optional<double> max_rel_l2) {
  Gate gate;
  switch (change) {
    case ChangeClass::exact:
    case ChangeClass::same: gate.bits = true; break;
    case ChangeClass::rescaled: gate.pass_db = gate.warn_db = 100; break;
    case ChangeClass::close:
      gate.pass_db = 100;
      gate.warn_db = 80;
      break;
    case ChangeClass::tf32:
      gate.pass_db = 45;
      gate.warn_db = 35;
      break;
    case ChangeClass::f16:
      gate.pass_db = 40;
      gate.warn_db = 30;
      break;
    case ChangeClass::bf16:
      gate.pass_db = 25;
      gate.warn_db = 20;
      gate.min_cosine = 0.998;
      break;
  }
  if (min_snr_db && !gate.bits) {
    gate.pass_db = gate.warn_db = *min_snr_db;
    gate.min_cosine = 0;
  }
  gate.max_rel_l2 = max_rel_l2;
  return gate;
}

std::string Gate::text(bool numeric) const {
  if (bits) return "bit-equal";
  if (!numeric) return fmt::format("equal elements >= {} %", pass_share * 100);
  std::string text = fmt::format("snr >= {} dB", pass_db);
  if (min_cosine > 0) text += fmt::format(" and cosine >= {}", min_cosine);
  if (max_rel_l2) text += fmt::format(" and rel_l2 <= {}", *max_rel_l2);
  return text;
}

Judgement judge(const Metrics& m, const Gate& gate) {
  if (m.new_nonfinite > 0)
    return {Verdict::fail, fmt::format("{} elements are finite before and NaN or infinite after", m.new_nonfinite)};
  if (m.bit_exact) return {};
  if (gate.bits)
    return {Verdict::fail,
            fmt::format("{} of {} elements differ, expected equal bits", m.elements - m.equal, m.elements)};
  if (!m.numeric) {
    const double share = m.equal_share();
    if (share >= gate.pass_share) return {};
    return {share >= gate.warn_share ? Verdict::warn : Verdict::fail,
            fmt::format("{:.4g} % of the elements are equal, expected {} %", share * 100, gate.pass_share * 100)};
  }
  const auto snr = m.snr_db(), cosine = m.cosine();
  if (!snr) {
    if (m.compared == 0) return {};
    return {Verdict::fail,
            fmt::format("all zero before, up to {:.3g} after, so that no relative error exists", m.max_abs)};
  }
  if (gate.max_rel_l2 && !(*m.rel_l2() <= *gate.max_rel_l2))
    return {Verdict::fail, fmt::format("rel_l2 is {:.3g}, expected at most {}", *m.rel_l2(), *gate.max_rel_l2)};
  if (*snr < gate.pass_db)
    return {*snr >= gate.warn_db ? Verdict::warn : Verdict::fail,
            fmt::format("snr is {:.1f} dB, expected at least {} dB", *snr, gate.pass_db)};
  if (gate.min_cosine > 0 && !(cosine.value_or(-1) >= gate.min_cosine))
    return {Verdict::warn, fmt::format("cosine is {:.5f}, expected at least {}", cosine.value_or(-1), gate.min_cosine)};
  return {};
}

}  // namespace aegis
