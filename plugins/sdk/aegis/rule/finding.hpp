// The builder of a finding. Opening::message makes it; every later call attaches something. A call that the host
// refuses (a limit, a Request above the rule's safety) is logged there and leaves the finding as it was.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <type_traits>

#include <aegis/rule/formats.hpp>
#include <aegis/rule/ids.hpp>
#include <aegis/rule/text.hpp>
#include <aegis/rule/units.hpp>

namespace aegis::sdk {

enum class Safety : aegis_safety { exact = AEGIS_EXACT, close = AEGIS_CLOSE, lossy = AEGIS_LOSSY };

class Finding {
 public:
  Finding(const aegis_api* api, aegis_cx* cx, aegis_finding id) : api_(api), cx_(cx), id_(id) {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  Finding& evidence(const char* key, aegis_quantity unit, Number number) {
    return evidence(key, std::string_view(), unit, number);
  }
  // Several values of one key: with labels they make a map, without a list.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Finding& evidence(const char* key, std::string_view label, aegis_quantity unit, Number number) {
    aegis_evidence e{.key = str(key), .label = str(label), .unit = unit};
    if constexpr (std::is_same_v<Number, bool>) {
      e.kind = AEGIS_EVIDENCE_BOOL;
      e.integer = number ? 1 : 0;
    } else if constexpr (std::is_floating_point_v<Number>) {
      e.number = static_cast<double>(number);
    } else {
      e.kind = AEGIS_EVIDENCE_INT;
      e.integer = static_cast<std::int64_t>(number);
    }
    return send(e);
  }
  Finding& evidence(const char* key, std::string_view text) { return evidence(key, std::string_view(), text); }
  Finding& evidence(const char* key, std::string_view label, std::string_view text) {
    return send({.kind = AEGIS_EVIDENCE_TEXT, .key = str(key), .label = str(label), .text = str(text)});
  }
  // yes, no, or null for unknown.
  Finding& evidence_answer(const char* key, aegis_answer answer) {
    return send({.kind = answer == AEGIS_UNKNOWN ? AEGIS_EVIDENCE_NULL : AEGIS_EVIDENCE_BOOL,
                 .key = str(key),
                 .integer = answer == AEGIS_YES});
  }

  // The evidence that all efficiency rules share, from the facts cost and roofline: FLOPs, bytes, intensity, ridge,
  // times, share, the type of the products.
  Finding& standard(aegis_node node) { return standard_at(place_of(node)); }
  Finding& standard(aegis_group group) { return standard_at(place_of(group)); }

  // What padding would do, from a query: evidence and gain.
  Finding& padding(const Answer<aegis_pad_in>& pad) {
    static constexpr std::string_view names[] = {"M",        "N",          "K",     "Ci",    "Co",
                                                 "head_dim", "key_length", "input", "hidden"};
    for (std::uint32_t i = 0; i < std::size(names); ++i) {
      const std::uint32_t bit = 1u << i;
      if (pad.asked.dims & bit) evidence("dim", names[i], AEGIS_ELEMENTS, extent(pad.asked.node, bit));
    }
    evidence("multiple", AEGIS_ELEMENTS, pad.multiple);
    evidence("padded_flops_percent", AEGIS_PERCENT, pad.flops_percent);
    evidence("e_align_now", AEGIS_FRACTION, pad.e_now);
    evidence("e_align_after", AEGIS_FRACTION, pad.e_after);
    evidence("gain_low", AEGIS_RATIO, pad.low);
    evidence("gain", AEGIS_RATIO, pad.point);
    evidence("gain_high", AEGIS_RATIO, pad.high);
    evidence("confidence", pad.confidence >= AEGIS_CONFIDENCE_HIGH     ? "high"
                           : pad.confidence == AEGIS_CONFIDENCE_MEDIUM ? "medium"
                           : pad.confidence == AEGIS_CONFIDENCE_LOW    ? "low"
                                                                       : "none");
    return gain({.confidence = pad.confidence, .low = pad.low, .point = pad.point, .high = pad.high});
  }

  Finding& gain(const aegis_gain& gain) {
    if (api_->gain(cx_, id_, &gain) != AEGIS_OK) refused("gain");
    return *this;
  }

  template <class Asked>
  Finding& request(const Asked& asked, Safety safety) {
    if (api_->request(cx_, id_, request_id<Asked>, &asked, static_cast<aegis_safety>(safety)) != AEGIS_OK) {
      refused(request_id<Asked>);
    }
    return *this;
  }

  Finding& advise(std::string_view advice) {
    if (api_->advise(cx_, id_, str(advice)) != AEGIS_OK) refused("advice");
    return *this;
  }

  Finding& relate(aegis_node node, std::string_view role, double bytes = std::numeric_limits<double>::quiet_NaN()) {
    return relate(place_of(node), role, bytes);
  }
  Finding& relate(aegis_value value, std::string_view role, double bytes = std::numeric_limits<double>::quiet_NaN()) {
    return relate(place_of(value), role, bytes);
  }
  // All nodes of a list but one, the anchor.
  Finding& relate_all(const aegis_nodes& nodes, std::string_view role, aegis_node anchor) {
    for (std::uint64_t i = 0; i < nodes.count; ++i) {
      if (nodes.data[i].id != anchor.id) relate(nodes.data[i], role);
    }
    return *this;
  }

 private:
  Finding& relate(aegis_place place, std::string_view role, double bytes) {
    if (api_->relate(cx_, id_, place, str(role), bytes) != AEGIS_OK) refused("a related place");
    return *this;
  }
  Finding& send(const aegis_evidence& e) {
    if (api_->evidence(cx_, id_, &e) != AEGIS_OK) refused("evidence");
    return *this;
  }
  Finding& standard_at(aegis_place place) {
    const auto* cost = static_cast<const aegis_cost*>(api_->fact(cx_, AEGIS_FACT_COST, place, nullptr));
    const auto* roof = static_cast<const aegis_roofline*>(api_->fact(cx_, AEGIS_FACT_ROOFLINE, place, nullptr));
    if (cost) {
      evidence("flops", AEGIS_FLOP, cost->flops);
      evidence("bytes_min", AEGIS_BYTES, cost->bytes.fused);
      evidence("bytes_op_by_op", AEGIS_BYTES, cost->bytes.op);
    }
    if (roof) {
      evidence("intensity_min", AEGIS_FLOP_PER_BYTE, roof->intensity.op);
      evidence("intensity_max", AEGIS_FLOP_PER_BYTE, roof->intensity.fused);
      evidence("ridge", AEGIS_FLOP_PER_BYTE, roof->ridge);
      evidence("compute", dtype_name(roof->compute));
    }
    if (cost) {
      evidence("time_us_min", AEGIS_MICROSECONDS, cost->time_us.fused);
      evidence("time_us_max", AEGIS_MICROSECONDS, cost->time_us.op);
      evidence("time_percent", AEGIS_PERCENT, cost->percent.fused);
    }
    return *this;
  }
  template <class Fact>
  const Fact* look_up(aegis_node node) const {
    return static_cast<const Fact*>(api_->fact(cx_, fact_id<Fact>, place_of(node), nullptr));
  }
  // The extent that a dim bit names, from the fact that the bit belongs to.
  std::int64_t extent(aegis_node node, std::uint32_t bit) const {
    if (bit & (AEGIS_M | AEGIS_N | AEGIS_K)) {
      const auto* gemm = look_up<aegis_gemm>(node);
      return !gemm ? -1 : (bit == AEGIS_M ? gemm->m : bit == AEGIS_N ? gemm->n : gemm->k).dim.value;
    }
    if (bit & (AEGIS_CI | AEGIS_CO)) {
      const auto* conv = look_up<aegis_conv>(node);
      return !conv ? -1 : (bit == AEGIS_CI ? conv->ci : conv->co).dim.value;
    }
    if (bit & (AEGIS_HEAD | AEGIS_KEYS)) {
      const auto* attention = look_up<aegis_attention>(node);
      return !attention ? -1 : (bit == AEGIS_HEAD ? attention->head_dim : attention->key_len).dim.value;
    }
    const auto* rnn = look_up<aegis_rnn>(node);
    return !rnn ? -1 : (bit == AEGIS_RNN_INPUT ? rnn->input : rnn->hidden).dim.value;
  }
  void refused(std::string_view what) {
    Text text;
    format(text, "the host refused {}", what);
    api_->log(cx_, AEGIS_WARNING, str(text.view()));
  }

  const aegis_api* api_;
  aegis_cx* cx_;
  aegis_finding id_;
};

// A finding that has its place and not yet its message.
class Opening {
 public:
  Opening(const aegis_api* api, aegis_cx* cx, aegis_place anchor) : api_(api), cx_(cx) { report_.anchor = anchor; }

  Opening& severity(aegis_severity severity) {
    report_.severity = severity;
    return *this;
  }
  Opening& certainty(aegis_certainty certainty) {
    report_.certainty = certainty;
    return *this;
  }
  template <class... Args>
  Finding message(Format<std::type_identity_t<Args>...> text, const Args&... args) {
    Text out;
    format(out, text.text, args...);
    report_.message = str(out.view());
    return {api_, cx_, api_->report(cx_, &report_)};
  }

 private:
  const aegis_api* api_;
  aegis_cx* cx_;
  aegis_report report_;
};

}  // namespace aegis::sdk
