// The functions of the plugin line that read. All answer "absent" once the rule's time is up.
#include "linter/host/api_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "linter/abi.hpp"
#include "linter/host/attributes.hpp"
#include "linter/host/context.hpp"
#include "linter/selection.hpp"

namespace aegis::host {

namespace {

// The most bytes of a constant that a rule may see.
constexpr std::uint64_t small_constant = 1024, weight_constant = 1024 * 1024;

const aegis_model_info* model(aegis_cx* cx) { return cx ? &cx->view.graph().model() : nullptr; }
const aegis_scope_info* scope(aegis_cx* cx, aegis_scope scope) { return cx ? cx->view.graph().scope(scope) : nullptr; }
const aegis_node_info* node(aegis_cx* cx, aegis_node node) { return cx ? cx->view.graph().node(node) : nullptr; }
const aegis_value_info* value(aegis_cx* cx, aegis_value value) { return cx ? cx->view.graph().value(value) : nullptr; }
aegis_scopes scopes(aegis_cx* cx) { return cx ? cx->view.graph().scopes() : aegis_scopes{}; }
aegis_nodes nodes(aegis_cx* cx, aegis_str op) { return cx ? cx->view.graph().nodes(abi::view(op)) : aegis_nodes{}; }

template <class T>
aegis_status give(const T& from, T* to) {
  if (!to || to->struct_size < sizeof(std::uint32_t)) return AEGIS_INVALID;
  const std::uint32_t size = to->struct_size;
  std::memcpy(to, &from, std::min<std::size_t>(size, sizeof(T)));
  to->struct_size = size;
  return AEGIS_OK;
}

aegis_status attribute(aegis_cx* cx, aegis_node node, aegis_str name, aegis_attribute* out) {
  if (!cx || !out || !cx->view.graph().node(node)) return AEGIS_INVALID;
  const Model& model = cx->view.facts().model();
  aegis_attribute found;
  if (!read_attribute(model, model.node(id_of(node)), abi::view(name), cx->arena, found)) return AEGIS_UNSUPPORTED;
  return give(found, out);
}

aegis_str metadata_of(aegis_cx* cx, aegis_place place, aegis_str key) {
  return cx ? abi::str(metadata(cx->view.facts().model(), place, abi::view(key))) : aegis_str{};
}

const aegis_tensor* absent(aegis_cx* cx, aegis_absence* why, aegis_absence reason) {
  if (why) *why = reason;
  if (reason >= AEGIS_UNKNOWN_DIM && reason <= AEGIS_OVER_LIMIT) ++cx->absent[reason];
  return nullptr;
}

const aegis_tensor* constant(aegis_cx* cx, aegis_value value, aegis_absence* why) {
  if (why) *why = AEGIS_NOT_APPLICABLE;
  if (!cx || !cx->view.graph().value(value)) return nullptr;
  if (cx->late()) return absent(cx, why, AEGIS_OVER_LIMIT);
  const TensorSource* source = cx->view.facts().model().constant(id_of(value));
  if (!source) return absent(cx, why, AEGIS_NOT_APPLICABLE);
  const bool weights = (cx->rule.abi->flags & AEGIS_RULE_WEIGHTS) != 0 && cx->view.facts().view().weights;
  const std::uint64_t bytes = source->raw_size();
  if (bytes > weight_constant) return absent(cx, why, AEGIS_OVER_LIMIT);
  if (bytes > small_constant && !weights) return absent(cx, why, AEGIS_NO_WEIGHTS);
  auto tensor = source->read();
  if (!tensor) return absent(cx, why, AEGIS_NO_WEIGHTS);
  if (why) *why = AEGIS_PRESENT;
  return cx->arena.tensor(*std::move(tensor));
}

aegis_list shape_value(aegis_cx* cx, aegis_value value) {
  if (!cx || !cx->view.graph().value(value)) return {};
  const TypeTable& types = cx->view.facts().types();
  if (!types.has_known[value.id]) return {};
  std::vector<aegis_dim> dims;
  for (const std::int64_t extent : types.known[value.id]) dims.push_back(cx->view.facts().dim(Dim::of(extent)));
  return cx->arena.list(std::move(dims));
}

aegis_answer divides(aegis_cx* cx, aegis_dim dim, std::int64_t n) {
  return cx ? answer(cx->view.facts().dim(dim).divides(n)) : aegis_answer{AEGIS_UNKNOWN};
}
aegis_answer equals(aegis_cx* cx, aegis_dim a, aegis_dim b) {
  return cx ? answer(cx->view.facts().dim(a).equals(cx->view.facts().dim(b))) : aegis_answer{AEGIS_UNKNOWN};
}
aegis_answer at_least(aegis_cx* cx, aegis_dim dim, std::int64_t n) {
  return cx ? answer(cx->view.facts().dim(dim).at_least(n)) : aegis_answer{AEGIS_UNKNOWN};
}

// The symbols whose bits are set in what a dim depends on; bit 63 stands for all from the 64th on.
std::vector<std::string_view> symbols_of(aegis_cx* cx, const aegis_dim& given) {
  const Dim dim = cx->view.facts().dim(given);
  const auto& symbols = cx->view.facts().types().symbols;
  std::vector<std::string_view> out;
  if (dim.kind == Dim::Kind::symbol && dim.symbol < symbols.size()) return {symbols[dim.symbol].name};
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (dim.depends >> std::min<std::size_t>(i, 63) & 1u) out.push_back(symbols[i].name);
  }
  return out;
}

aegis_str dim_text(aegis_cx* cx, aegis_dim dim) {
  if (!cx) return {};
  if (dim.kind == AEGIS_DIM_VALUE) return cx->arena.text(std::to_string(dim.value));
  const auto symbols = symbols_of(cx, dim);
  return symbols.size() == 1 ? abi::str(symbols.front()) : abi::str("?");
}

aegis_list dim_symbols(aegis_cx* cx, aegis_dim dim) {
  if (!cx) return {};
  std::vector<aegis_str> out;
  for (const std::string_view symbol : symbols_of(cx, dim)) out.push_back(abi::str(symbol));
  return cx->arena.list(std::move(out));
}

const aegis_view* view(aegis_cx* cx) { return cx ? &cx->view.info() : nullptr; }
const aegis_target* target(aegis_cx* cx) { return cx ? &cx->view.target() : nullptr; }
const aegis_rate* rate(aegis_cx* cx, aegis_dtype dtype) { return cx ? cx->view.rate(dtype) : nullptr; }

aegis_status alignment(aegis_cx* cx, aegis_dtype dtype, aegis_alignment* out) {
  if (!cx) return AEGIS_INVALID;
  const Alignment found = cx->view.facts().target().alignment(dtype);
  aegis_alignment alignment;
  alignment.kind = found.kind;
  alignment.tier1 = found.tier1;
  alignment.tier2 = found.tier2;
  alignment.sparse = found.sparse;
  return give(alignment, out);
}

const void* fact(aegis_cx* cx, const char* id, aegis_place place, aegis_absence* why) {
  aegis_absence reason = AEGIS_NOT_DECLARED;
  const void* found = nullptr;
  if (!cx || !id) return nullptr;
  if (std::ranges::find(cx->rule.facts, std::string_view(id)) == cx->rule.facts.end()) {
    cx->note(fmt::format("{} asks for {}, which its facts do not name", cx->rule.code, id));
  } else if (cx->late()) {
    reason = AEGIS_OVER_LIMIT;
  } else {
    found = cx->view.facts().fact(id, place, &reason);
  }
  if (!found && reason >= AEGIS_UNKNOWN_DIM && reason <= AEGIS_OVER_LIMIT) ++cx->absent[reason];
  if (why) *why = found ? aegis_absence{AEGIS_PRESENT} : reason;
  return found;
}

aegis_status query(aegis_cx* cx, const char* id, const void* in, void* out) {
  if (!cx || !id || !in || !out) return AEGIS_INVALID;
  if (cx->late()) return AEGIS_CANCELLED;
  return cx->view.facts().query(id, in, out);
}

aegis_status option(aegis_cx* cx, const char* key, aegis_option_value* out) {
  if (!cx || !key) return AEGIS_INVALID;
  const auto declared = std::ranges::find(cx->rule.options, std::string_view(key), &RuleOption::key);
  if (declared == cx->rule.options.end()) return AEGIS_INVALID;
  const OptionSetting setting = option_setting(cx->rule, *declared, cx->options);
  aegis_option_value value;
  value.set = setting.set ? 1 : 0;
  if (const auto* flag = std::get_if<bool>(&setting.value)) {
    value.type = AEGIS_OPTION_BOOL;
    value.number = *flag ? 1 : 0;
  } else if (const auto* number = std::get_if<double>(&setting.value)) {
    value.type = AEGIS_OPTION_REAL;
    value.number = *number;
  } else {
    const auto& text = std::get<std::string>(setting.value);
    value.type = declared->choices.empty() ? AEGIS_OPTION_TEXT : AEGIS_OPTION_CHOICE;
    value.number = static_cast<double>(std::ranges::find(declared->choices, text) - declared->choices.begin());
    value.text = cx->arena.text(text);
  }
  return give(value, out);
}

std::uint32_t cancelled(aegis_cx* cx) { return cx && cx->late() ? 1 : 0; }
void log(aegis_cx* cx, aegis_severity, aegis_str text) {
  if (cx && text.data) cx->note(std::string(abi::view(text)));
}
void fail(aegis_cx* cx, aegis_str text) {
  if (cx && text.data) cx->failure = abi::view(text);
}
const void* get_extension(const char*) { return nullptr; }

}  // namespace

void fill_reading(aegis_api& api) {
  api.model = model;
  api.scope = scope;
  api.node = node;
  api.value = value;
  api.scopes = scopes;
  api.nodes = nodes;
  api.attribute = attribute;
  api.metadata = metadata_of;
  api.constant = constant;
  api.shape_value = shape_value;
  api.divides = divides;
  api.equals = equals;
  api.at_least = at_least;
  api.dim_text = dim_text;
  api.dim_symbols = dim_symbols;
  api.view = view;
  api.target = target;
  api.rate = rate;
  api.alignment = alignment;
  api.fact = fact;
  api.query = query;
  api.option = option;
  api.cancelled = cancelled;
  api.log = log;
  api.fail = fail;
  api.get_extension = get_extension;
}

}  // namespace aegis::host
