// The builder of a finding. Opening::message makes it; every later call attaches something. A call that the host
// refuses (a limit, a Request above the rule's safety) is logged there and leaves the finding as it was.
#pragma once

#include <aegis/aegis.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

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
  Finding& evidence(const char* key, std::string_view text) {
    return send({.kind = AEGIS_EVIDENCE_TEXT, .key = str(key), .text = str(text)});
  }
  // yes, no, or null for unknown.
  Finding& evidence_answer(const char* key, aegis_answer answer) {
    return send({.kind = answer == AEGIS_UNKNOWN ? AEGIS_EVIDENCE_NULL : AEGIS_EVIDENCE_BOOL,
                 .key = str(key),
                 .integer = answer == AEGIS_YES});
  }

  // The evidence that all efficiency rules share, from the facts cost and roofline: FLOPs, bytes, intensity, ridge,
  // times, share.
  Finding& standard(aegis_node node) { return standard_at(place_of(node)); }
  Finding& standard(aegis_group group) { return standard_at(place_of(group)); }

  // What padding would do, from a query: evidence and gain.
  Finding& padding(const aegis_pad& pad);

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
  Finding& standard_at(aegis_place place);
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
