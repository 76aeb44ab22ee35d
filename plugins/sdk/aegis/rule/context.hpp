// What a check reads with: the model, its facts, the view, the rule's options; and finding(), which reports.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include <aegis/rule/finding.hpp>
#include <aegis/rule/formats.hpp>
#include <aegis/rule/ids.hpp>
#include <aegis/rule/lists.hpp>
#include <aegis/rule/text.hpp>
#include <aegis/rule/units.hpp>

namespace aegis::sdk {

// What a value can hold: seen in data, or bounded by interval arithmetic. Unknown is NaN, which no comparison meets.
struct Bound {
  aegis_interval all{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  double absmax = std::numeric_limits<double>::quiet_NaN();
  bool known = false, seen = false;
};

class Context {
 public:
  Context(const aegis_api* api, aegis_cx* cx) : api_(api), cx_(cx) {}

  // Facts: null when there is none; the host counts the reason into coverage.
  template <class T>
  const T* fact() {
    return fact_at<T>(place_of());
  }
  template <class T>
  const T* fact(aegis_node node) {
    return fact_at<T>(place_of(node));
  }
  template <class T>
  const T* fact(aegis_value value) {
    return fact_at<T>(place_of(value));
  }
  template <class T>
  const T* fact(aegis_group group) {
    return fact_at<T>(place_of(group));
  }
  template <class T>
  const T* fact(aegis_scope scope) {
    return fact_at<T>(place_of(scope));
  }
  // The reason why the last fact() or constant() gave null.
  aegis_absence absence() const { return why_; }

  template <class In>
  std::optional<Answer<In>> query(const In& in) {
    Answer<In> out{};
    out.struct_size = sizeof(typename Query<In>::Out);
    out.asked = in;
    if (api_->query(cx_, Query<In>::id, &in, static_cast<typename Query<In>::Out*>(&out)) != AEGIS_OK) {
      return std::nullopt;
    }
    return out;
  }

  // The model. A null info means a wrong id.
  const aegis_model_info* model() { return api_->model(cx_); }
  const aegis_node_info* node(aegis_node node) { return api_->node(cx_, node); }
  const aegis_value_info* value(aegis_value value) { return api_->value(cx_, value); }
  const aegis_scope_info* scope(aegis_scope scope) { return api_->scope(cx_, scope); }
  std::span<const aegis_node> nodes(std::string_view op) { return items(api_->nodes(cx_, str(op))); }
  bool is(aegis_node node, std::string_view op) {
    const auto* info = this->node(node);
    return info && sdk::view(info->op) == op && info->domain.size == 0;
  }
  // Input and output by slot; AEGIS_NONE when the slot is empty or not there.
  aegis_value input(aegis_node node, std::size_t slot) { return at(this->node(node), slot, true); }
  aegis_value output(aegis_node node, std::size_t slot) { return at(this->node(node), slot, false); }
  aegis_dtype dtype(aegis_value value) {
    const auto* info = some(value) ? this->value(value) : nullptr;
    return info ? info->type.dtype : aegis_dtype{AEGIS_DTYPE_UNDEFINED};
  }
  double bytes(aegis_value value) {
    const auto* info = some(value) ? this->value(value) : nullptr;
    return info ? info->bytes : std::numeric_limits<double>::quiet_NaN();
  }

  std::int64_t attribute(aegis_node node, std::string_view name, std::int64_t otherwise) {
    aegis_attribute out;
    return find(node, name, AEGIS_ATTRIBUTE_INT, out) ? out.i : otherwise;
  }
  double attribute(aegis_node node, std::string_view name, double otherwise) {
    aegis_attribute out;
    return find(node, name, AEGIS_ATTRIBUTE_FLOAT, out) ? out.f : otherwise;
  }

  // A constant's elements, folded ones too; at most 1 KiB, 1 MiB for rules that read weights.
  const aegis_tensor* constant(aegis_value value) { return some(value) ? api_->constant(cx_, value, &why_) : nullptr; }
  Items<aegis_dim> shape_value(aegis_value value) { return Items<aegis_dim>(api_->shape_value(cx_, value)); }

  aegis_answer divides(const aegis_dim& dim, std::int64_t n) { return api_->divides(cx_, dim, n); }
  aegis_answer equals(const aegis_dim& a, const aegis_dim& b) { return api_->equals(cx_, a, b); }
  aegis_answer at_least(const aegis_dim& dim, std::int64_t n) { return api_->at_least(cx_, dim, n); }
  std::string_view text(const aegis_dim& dim) { return sdk::view(api_->dim_text(cx_, dim)); }
  std::string_view text(const aegis_extent& extent) { return text(extent.dim); }

  const aegis_view* view() { return api_->view(cx_); }
  const aegis_target* target() { return api_->target(cx_); }
  const aegis_rate* rate(aegis_dtype dtype) { return api_->rate(cx_, dtype); }
  std::optional<aegis_alignment> alignment(aegis_dtype dtype) {
    aegis_alignment out;
    if (api_->alignment(cx_, dtype, &out) != AEGIS_OK) return std::nullopt;
    return out;
  }

  // The narrow format that a value has, or that a planned recast would give it; null when it is or stays wide. A schema
  // that does not take the type at the model's opset keeps nothing wide here: a recast may raise the opset.
  const FloatFormat* narrow(aegis_value value) {
    if (!some(value)) return nullptr;
    const aegis_dtype planned = view()->planned;
    const auto* group = fact<aegis_type_group>(value);
    const aegis_dtype now = group ? group->now : dtype(value);
    if (now != AEGIS_DTYPE_FLOAT || !narrow_format(planned)) return narrow_format(group ? group->planned : now);
    constexpr std::uint32_t kept = AEGIS_TYPE_GROUP_SHAPE | AEGIS_TYPE_GROUP_ISLAND | AEGIS_TYPE_GROUP_PINNED;
    return group && (group->flags & kept) ? nullptr : narrow_format(planned);
  }

  // Needs the facts range and observed.
  Bound bound(aegis_value value) {
    if (const auto* seen = fact<aegis_observed>(value)) return {seen->all, seen->absmax, true, true};
    const auto* range = fact<aegis_range>(value);
    if (!range || (range->flags & (AEGIS_RANGE_UNBOUNDED | AEGIS_RANGE_USELESS))) return {};
    return {range->all, range->absmax, true, false};
  }

  // The rule's own option as a number (booleans 0 and 1); NaN for a key that it does not declare, which no
  // comparison meets.
  double option(const char* key) {
    aegis_option_value out;
    return api_->option(cx_, key, &out) == AEGIS_OK ? out.number : std::numeric_limits<double>::quiet_NaN();
  }
  std::string_view choice(const char* key) {
    aegis_option_value out;
    return api_->option(cx_, key, &out) == AEGIS_OK ? sdk::view(out.text) : std::string_view();
  }

  Opening finding() { return {api_, cx_, place_of()}; }
  Opening finding(aegis_node node) { return {api_, cx_, place_of(node)}; }
  Opening finding(aegis_value value) { return {api_, cx_, place_of(value)}; }
  Opening finding(aegis_group group) { return {api_, cx_, place_of(group)}; }

  bool cancelled() { return api_->cancelled(cx_) != 0; }

 private:
  template <class T>
  const T* fact_at(aegis_place place) {
    return static_cast<const T*>(api_->fact(cx_, fact_id<T>, place, &why_));
  }
  bool find(aegis_node node, std::string_view name, std::uint32_t kind, aegis_attribute& out) {
    return api_->attribute(cx_, node, str(name), &out) == AEGIS_OK && out.kind == kind;
  }
  static aegis_value at(const aegis_node_info* info, std::size_t slot, bool input) {
    if (!info) return {AEGIS_NONE};
    const auto values = items(input ? info->inputs : info->outputs);
    return slot < values.size() ? values[slot] : aegis_value{AEGIS_NONE};
  }

  const aegis_api* api_;
  aegis_cx* cx_;
  aegis_absence why_ = AEGIS_PRESENT;
};

}  // namespace aegis::sdk
