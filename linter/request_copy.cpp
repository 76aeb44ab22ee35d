#include "linter/request_copy.hpp"

#include <aegis/requests.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "model/dtype.hpp"

namespace aegis {

namespace {

// What a payload points to, owned beside it.
struct Owner {
  std::deque<std::vector<aegis_node>> nodes;
  std::deque<std::vector<aegis_value>> values;
  std::deque<std::string> texts;

  void operator()(aegis_nodes& list) {
    auto& own = nodes.emplace_back(list.data, list.data + list.count);
    list.data = own.data();
  }
  void operator()(aegis_values& list) {
    auto& own = values.emplace_back(list.data, list.data + list.count);
    list.data = own.data();
  }
  void operator()(aegis_str& text) {
    auto& own = texts.emplace_back(text.data, text.size);
    text.data = own.data();
  }
};

// The pointers of each payload; a payload without any has no overload of its own.
template <class T>
void pointers(T&, Owner&) {}
void pointers(aegis_keep_wide& r, Owner& own) { own(r.region); }
void pointers(aegis_raise_opset& r, Owner& own) { own(r.domain); }
void pointers(aegis_fuse& r, Owner& own) {
  own(r.op);
  own(r.domain);
  own(r.nodes);
}
void pointers(aegis_fold& r, Owner& own) { own(r.values); }
void pointers(aegis_share_cast& r, Owner& own) { own(r.casts); }
void pointers(aegis_drop_node& r, Owner& own) { own(r.nodes); }
void pointers(aegis_write_shape& r, Owner& own) { own(r.values); }
void pointers(aegis_drop_cast& r, Owner& own) { own(r.nodes); }
void pointers(aegis_recompute& r, Owner& own) { own(r.blocks); }
void pointers(aegis_barrier& r, Owner& own) { own(r.inputs); }
void pointers(aegis_drain& r, Owner& own) { own(r.leaves); }

template <class T>
std::shared_ptr<const void> copy(const void* payload) {
  struct Held {
    T request;
    Owner owner;
  };
  auto held = std::make_shared<Held>();
  std::uint32_t size = 0;
  std::memcpy(&size, payload, sizeof size);  // every payload begins with its struct_size
  std::memcpy(&held->request, payload, std::min<std::size_t>(size, sizeof(T)));
  held->request.struct_size = sizeof(T);
  pointers(held->request, held->owner);
  return {held, &held->request};
}

struct Kind {
  std::string_view id;
  Safety most;
  std::shared_ptr<const void> (*copy)(const void*);
};

constexpr Kind kinds[] = {
    {AEGIS_REQUEST_PAD_DIM, Safety::close, copy<aegis_pad_dim>},
    {AEGIS_REQUEST_SET_TYPE, Safety::lossy, copy<aegis_set_type>},
    {AEGIS_REQUEST_CHOOSE_TYPE, Safety::lossy, copy<aegis_choose_type>},
    {AEGIS_REQUEST_KEEP_WIDE, Safety::exact, copy<aegis_keep_wide>},
    {AEGIS_REQUEST_SET_BOUND, Safety::exact, copy<aegis_set_bound>},
    {AEGIS_REQUEST_RAISE_OPSET, Safety::exact, copy<aegis_raise_opset>},
    {AEGIS_REQUEST_FUSE, Safety::close, copy<aegis_fuse>},
    {AEGIS_REQUEST_FOLD_NORM, Safety::close, copy<aegis_fold_norm>},
    {AEGIS_REQUEST_BOUND_CONSTANT, Safety::close, copy<aegis_bound_constant>},
    {AEGIS_REQUEST_BOOL_MASK, Safety::close, copy<aegis_bool_mask>},
    {AEGIS_REQUEST_FOLD, Safety::exact, copy<aegis_fold>},
    {AEGIS_REQUEST_SHARE_CAST, Safety::exact, copy<aegis_share_cast>},
    {AEGIS_REQUEST_DROP_NODE, Safety::exact, copy<aegis_drop_node>},
    {AEGIS_REQUEST_DROP_PAIR, Safety::exact, copy<aegis_drop_pair>},
    {AEGIS_REQUEST_WRITE_SHAPE, Safety::exact, copy<aegis_write_shape>},
    {AEGIS_REQUEST_IDENTITY, Safety::exact, copy<aegis_identity>},
    {AEGIS_REQUEST_EXTERNAL_DATA, Safety::exact, copy<aegis_external_data>},
    {AEGIS_REQUEST_MOVE_CAST, Safety::lossy, copy<aegis_move_cast>},
    {AEGIS_REQUEST_DROP_CAST, Safety::close, copy<aegis_drop_cast>},
    {AEGIS_REQUEST_LIFT_EPSILON, Safety::lossy, copy<aegis_lift_epsilon>},
    {AEGIS_REQUEST_RESCALE_POW2, Safety::exact, copy<aegis_rescale_pow2>},
    {AEGIS_REQUEST_REDUCE_PEAK, Safety::exact, copy<aegis_reduce_peak>},
    {AEGIS_REQUEST_RECOMPUTE, Safety::exact, copy<aegis_recompute>},
    {AEGIS_REQUEST_BARRIER, Safety::exact, copy<aegis_barrier>},
    {AEGIS_REQUEST_DRAIN, Safety::exact, copy<aegis_drain>},
};

const Kind* find_kind(std::string_view id) {
  const auto* kind = std::ranges::find(kinds, id, &Kind::id);
  return kind == std::end(kinds) ? nullptr : kind;
}

std::string value_name(const Model& model, aegis_value value) {
  return value.id < model.values().size() ? std::string(model.value(ValueId{value.id}).name) : std::string("?");
}

std::string node_name(const Model& model, aegis_node node) {
  return node.id < model.nodes().size() ? label(model, NodeId{node.id}) : std::string("?");
}

std::string pad_text(const Model& model, const aegis_pad_dim& r) {
  const std::string where = r.dim.axis < 0 ? value_name(model, r.dim.value)
                                           : fmt::format("{} axis {}", value_name(model, r.dim.value), r.dim.axis);
  const std::int64_t now = r.dim.dim.value;
  if (now < 0 || r.multiple < 1) return fmt::format("pad {} to a multiple of {}", where, r.multiple);
  return fmt::format("pad {} {} -> {}", where, now, (now + r.multiple - 1) / r.multiple * r.multiple);
}

std::string keep_text(const Model& model, const aegis_keep_wide& r) {
  switch (r.what) {
    case AEGIS_KEEP_VALUE: return fmt::format("keep {} in float", value_name(model, r.value));
    case AEGIS_KEEP_PRODUCERS: return fmt::format("keep {} and what feeds it in float", node_name(model, r.node));
    case AEGIS_KEEP_REGION: return fmt::format("keep {} nodes in float", r.region.count);
    case AEGIS_KEEP_TO_LOSSY_USE:
      return fmt::format("keep float from {} to the first use that rounds anyway", node_name(model, r.node));
    default: return fmt::format("keep {} in float", node_name(model, r.node));
  }
}

std::string type_text(aegis_dtype dtype) {
  return dtype < 32 ? std::string(name(static_cast<DType>(dtype))) : std::string("another type");
}

// The name part of "aegis.request.<name>/1", for Requests whose id says it all.
std::string plain_text(std::string_view id) {
  std::string text(id.substr(std::string_view("aegis.request.").size()));
  text.resize(text.find('/'));
  std::ranges::replace(text, '_', ' ');
  return text;
}

}  // namespace

std::shared_ptr<const void> copy_request(std::string_view id, const void* payload) {
  const Kind* kind = find_kind(id);
  return kind && payload ? kind->copy(payload) : nullptr;
}

std::optional<Safety> request_safety(std::string_view id) {
  const Kind* kind = find_kind(id);
  return kind ? std::optional(kind->most) : std::nullopt;
}

std::string request_text(const Model& model, const Request& request) {
  if (const auto* r = request.as<aegis_pad_dim>(AEGIS_REQUEST_PAD_DIM)) return pad_text(model, *r);
  if (const auto* r = request.as<aegis_keep_wide>(AEGIS_REQUEST_KEEP_WIDE)) return keep_text(model, *r);
  if (const auto* r = request.as<aegis_set_type>(AEGIS_REQUEST_SET_TYPE)) {
    if (r->what == AEGIS_SET_MODEL) return fmt::format("run the model in {}", type_text(r->dtype));
    if (r->what == AEGIS_SET_BORDER) return fmt::format("make inputs and outputs {}", type_text(r->dtype));
    return fmt::format("make {} {}", value_name(model, r->value), type_text(r->dtype));
  }
  if (const auto* r = request.as<aegis_choose_type>(AEGIS_REQUEST_CHOOSE_TYPE)) {
    return fmt::format("prefer {}", type_text(r->dtype));
  }
  if (const auto* r = request.as<aegis_raise_opset>(AEGIS_REQUEST_RAISE_OPSET)) {
    return fmt::format("raise the opset to {}", r->to);
  }
  if (const auto* r = request.as<aegis_fuse>(AEGIS_REQUEST_FUSE)) {
    return fmt::format("replace {} nodes by {}", r->nodes.count, std::string_view(r->op.data, r->op.size));
  }
  if (const auto* r = request.as<aegis_bound_constant>(AEGIS_REQUEST_BOUND_CONSTANT)) {
    return fmt::format("bound {} at {:.4g}", value_name(model, r->value), r->bound);
  }
  if (const auto* r = request.as<aegis_lift_epsilon>(AEGIS_REQUEST_LIFT_EPSILON)) {
    return fmt::format("raise the epsilon of {} to {:.4g}", node_name(model, r->node), r->to);
  }
  if (const auto* r = request.as<aegis_set_bound>(AEGIS_REQUEST_SET_BOUND)) {
    return fmt::format("write the {} bound of {} as {:.4g}", r->upper ? "upper" : "lower",
                       node_name(model, r->use.node), r->to);
  }
  return plain_text(request.id);
}

}  // namespace aegis
