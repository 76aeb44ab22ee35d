#include "validator/report.hpp"

#include <nlohmann/json.hpp>

namespace aegis {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json agreement(const std::optional<Agreement>& a) {
  if (!a) return nullptr;
  return {{"share", a->share}, {"ci95", {a->low, a->high}}, {"n", a->n}};
}

Json output(const OutputAccuracy& o) {
  Json degenerate = nullptr;
  if (o.degenerate)
    degenerate = {{"why", o.degenerate->why},
                  {"gated_on", text_or_null(o.degenerate->gated_on)},
                  {"gated_snr_db", or_null(o.degenerate->gated_snr_db)}};
  Json out = {{"name", o.name}};
  out["max_abs"] = o.numeric ? Json(o.max_abs) : Json(nullptr);
  out["max_abs_index"] = o.max_abs_index;
  out["max_abs_before"] = o.numeric ? Json(o.max_abs_before) : Json(nullptr);
  out["max_abs_after"] = o.numeric ? Json(o.max_abs_after) : Json(nullptr);
  out["rel_l2"] = or_null(o.rel_l2);
  out["snr_db"] = or_null(o.snr_db);
  out["cosine"] = or_null(o.cosine);
  out["max_ulp"] = or_null(o.max_ulp);
  out["new_nonfinite"] = o.new_nonfinite;
  out["bit_exact"] = o.bit_exact;
  out["equal_share"] = o.equal_share;
  out["top1_agreement"] = agreement(o.top1);
  out["top5_agreement"] = agreement(o.top5);
  out["worst_set"] = text_or_null(o.worst_set);
  out["gate"] = o.gate;
  out["degenerate"] = std::move(degenerate);
  out["verdict"] = name(o.verdict);
  out["reason"] = text_or_null(o.reason);
  return out;
}

Json inputs(const Validation& v) {
  Json used = Json::array(), symbols = Json::object();
  for (const InputUsed& i : v.inputs.used)
    used.push_back({{"name", i.name}, {"dtype", i.dtype}, {"shape", i.shape}, {"source", i.source}});
  for (const Symbol& s : v.inputs.symbols) symbols[s.name] = s.bound ? or_null(s.bound) : or_null(s.assumed);
  return {{"count", v.inputs.count},
          {"planned", v.inputs.planned},
          {"samples", v.inputs.samples},
          {"source", v.inputs.source},
          {"seed", v.evidence == Basis::synthetic ? Json(v.inputs.seed) : Json(nullptr)},
          {"used", std::move(used)},
          {"symbols", std::move(symbols)}};
}

Json first_bad(const std::optional<FirstBad>& b) {
  if (!b) return nullptr;
  return {{"scope", b->scope},
          {"node", b->node},
          {"op", b->op},
          {"value", b->value},
          {"kind", b->kind},
          {"local_rel_l2", or_null(b->local_rel_l2)},
          {"cumulative_rel_l2", or_null(b->cumulative_rel_l2)},
          {"amplification", or_null(b->amplification)}};
}

Json task(const std::optional<Validation::Task>& t) {
  if (!t) return nullptr;
  return {{"output", t->output}, {"n", t->n}, {"top1_before", t->top1_before}, {"top1_after", t->top1_after}};
}

Json speed(const Speed& s) {
  return {{"verdict", s.verdict},
          {"ratio", or_null(s.ratio)},
          {"ci95", or_null(s.ci95)},
          {"noise_floor", or_null(s.noise_floor)},
          {"before_us", or_null(s.before_us)},
          {"after_us", or_null(s.after_us)},
          {"baselines", Json::object()},
          {"clock_hz", or_null(s.clock_hz)},
          {"first_run_us", or_null(s.first_run_us)}};
}

}  // namespace

Json validation_document(const Validation& v) {
  Json outputs = Json::array(), missing = Json::array();
  for (const OutputAccuracy& o : v.outputs) outputs.push_back(output(o));
  for (const NotRun& n : v.not_run)
    missing.push_back({{"model", n.model},
                       {"scope", n.scope},
                       {"node", text_or_null(n.node)},
                       {"op", text_or_null(n.op)},
                       {"reason", n.reason}});
  Json document;
  document["verdict"] = name(v.verdict);
  document["reason"] = text_or_null(v.reason);
  document["detail"] = text_or_null(v.detail);
  document["evidence"] = name(v.evidence);
  document["engine"] = v.engine;
  document["modes"] = {{"change", name(v.change)},
                       {"change_inferred", v.change_inferred},
                       {"rounding", "per_op"},
                       {"f32", "strict"},
                       {"threads", v.threads}};
  document["inputs"] = inputs(v);
  document["accuracy"] = {{"outputs", std::move(outputs)}};
  document["task"] = task(v.task);
  document["first_bad"] = first_bad(v.first_bad);
  document["not_run"] = std::move(missing);
  document["coverage"] = {{"nodes_before", v.nodes_before}, {"nodes_after", v.nodes_after}};
  document["limits"] = v.limits;
  document["not_covered"] = v.not_covered;
  document["speed"] = speed(v.speed);
  return document;
}

}  // namespace aegis
