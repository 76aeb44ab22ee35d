// The cache behind FactTable. One slot for each (fact, kind of place, id): an atomic pointer to an entry that is never
// changed once published, so that readers take no lock. Makers run under one recursive lock, since they ask for other
// facts.
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory_resource>
#include <mutex>
#include <tuple>

#include "ops/fact.hpp"
#include "ops/facts.hpp"
#include "ops/graph/groups.hpp"

namespace aegis {
namespace {

struct Entry {
  const void* fact = nullptr;
  aegis_absence why = AEGIS_PRESENT;
};
using Slot = std::atomic<const Entry*>;
constexpr std::size_t kinds = 5;  // AEGIS_PLACE_*

}  // namespace

struct FactTable::Impl {
  std::recursive_mutex mutex;
  std::pmr::monotonic_buffer_resource arena{1u << 16};
  // Analyses in the order in which they were made: `ready` of them can be read without the lock.
  struct Analysis {
    const char* key = nullptr;
    std::shared_ptr<const void> made;
  };
  std::array<Analysis, 64> analyses;
  std::atomic<std::size_t> ready = 0;
  std::vector<Dim> expressions;  // what aegis_dim::expr numbers
  std::map<std::tuple<Dim::Kind, std::uint32_t, std::uint64_t>, std::uint32_t> numbers;
  std::size_t facts = fact_registry().size();
  // By fact * kinds + kind: an array of slots, made when the first fact of that kind is asked for.
  std::vector<std::atomic<Slot*>> slots = std::vector<std::atomic<Slot*>>(facts * kinds);
  std::vector<std::unique_ptr<Slot[]>> owned;
  std::vector<std::atomic<std::uint64_t>> made = std::vector<std::atomic<std::uint64_t>>(facts);
};

FactTable::FactTable(const Model& model, const TypeTable& types, const Target& target, View view,
                     const Evaluator* evaluator)
    : model_(&model),
      types_(&types),
      target_(&target),
      view_(std::move(view)),
      evaluator_(evaluator),
      impl_(std::make_unique<Impl>()) {}
FactTable::~FactTable() = default;

namespace {

// Who asks by type passes the very text that the registry holds, so addresses are compared first.
std::size_t find_fact(std::string_view id) {
  const auto registry = fact_registry();
  for (std::size_t i = 0; i < registry.size(); ++i)
    if (registry[i]->id.data() == id.data() && registry[i]->id.size() == id.size()) return i;
  for (std::size_t i = 0; i < registry.size(); ++i)
    if (registry[i]->id == id) return i;
  return registry.size();
}

const void* run(const Fact& fact, FactTable& table, aegis_place place, aegis_absence& why) {
  switch (place.kind) {
    case AEGIS_PLACE_MODEL: return fact.of_model ? fact.of_model(table, why) : nullptr;
    case AEGIS_PLACE_SCOPE: return fact.of_scope ? fact.of_scope(table, ScopeId{place.id}, why) : nullptr;
    case AEGIS_PLACE_NODE: return fact.of_node ? fact.of_node(table, NodeId{place.id}, why) : nullptr;
    case AEGIS_PLACE_VALUE: return fact.of_value ? fact.of_value(table, ValueId{place.id}, why) : nullptr;
    case AEGIS_PLACE_GROUP: return fact.of_group ? fact.of_group(table, GroupId{place.id}, why) : nullptr;
    default: return nullptr;
  }
}

}  // namespace

const void* FactTable::fact(std::string_view id, aegis_place place, aegis_absence* why) {
  aegis_absence ignored;
  aegis_absence& reason = why ? *why : ignored;
  const std::size_t which = find_fact(id);
  if (which == impl_->facts) return reason = AEGIS_NO_SUCH_FACT, nullptr;
  std::size_t count = 1;
  switch (place.kind) {
    case AEGIS_PLACE_MODEL: place.id = 0; break;
    case AEGIS_PLACE_SCOPE: count = model_->scopes().size(); break;
    case AEGIS_PLACE_NODE: count = model_->nodes().size(); break;
    case AEGIS_PLACE_VALUE: count = model_->values().size(); break;
    case AEGIS_PLACE_GROUP: count = analysis<Groups>().size(); break;
    default: count = 0;
  }
  const bool dead = (place.kind == AEGIS_PLACE_NODE && place.id < count && !model_->node(NodeId{place.id}).alive) ||
                    (place.kind == AEGIS_PLACE_VALUE && place.id < count && !model_->value(ValueId{place.id}).alive);
  if (place.id >= count || dead) return reason = AEGIS_NOT_APPLICABLE, nullptr;

  auto& column = impl_->slots[which * kinds + place.kind];
  if (Slot* slots = column.load(std::memory_order_acquire))
    if (const Entry* entry = slots[place.id].load(std::memory_order_acquire)) return reason = entry->why, entry->fact;

  const std::scoped_lock lock(impl_->mutex);
  if (!column.load(std::memory_order_relaxed)) {
    impl_->owned.push_back(std::make_unique<Slot[]>(count));
    column.store(impl_->owned.back().get(), std::memory_order_release);
  }
  Slot& slot = column.load(std::memory_order_relaxed)[place.id];
  if (const Entry* entry = slot.load(std::memory_order_relaxed)) return reason = entry->why, entry->fact;
  Entry* entry = make<Entry>();
  entry->why = AEGIS_NOT_APPLICABLE;
  entry->fact = run(*fact_registry()[which], *this, place, entry->why);
  if (entry->fact) entry->why = AEGIS_PRESENT;
  impl_->made[which].fetch_add(1, std::memory_order_relaxed);
  slot.store(entry, std::memory_order_release);
  return reason = entry->why, entry->fact;
}

aegis_status FactTable::query(std::string_view id, const void* in, void* out) {
  if (!in || !out) return AEGIS_INVALID;
  for (const Fact* fact : fact_registry())
    if (fact->query && fact->query_id == id) return fact->query(*this, in, out);
  return AEGIS_UNSUPPORTED;
}

std::span<const GroupId> FactTable::groups() { return analysis<Groups>().of_nodes(); }
std::span<const GroupId> FactTable::groups(std::uint32_t kind) { return analysis<Groups>().of_kind(kind); }
GroupId FactTable::group_of(NodeId node) { return analysis<Groups>().group_of(node); }

std::uint64_t FactTable::made(std::string_view id) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < impl_->facts; ++i)
    if (id.empty() || fact_registry()[i]->id == id) sum += impl_->made[i].load(std::memory_order_relaxed);
  return sum;
}

const void* FactTable::shared(const char* key, std::shared_ptr<const void> (*maker)(FactTable&)) {
  auto& analyses = impl_->analyses;
  const auto known = [&]() -> const void* {
    const std::size_t ready = impl_->ready.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < ready; ++i)
      if (analyses[i].key == key) return analyses[i].made.get();
    return nullptr;
  };
  if (const void* found = known()) return found;
  const std::scoped_lock lock(impl_->mutex);
  if (const void* found = known()) return found;
  auto made = maker(*this);  // which may make others first
  const std::size_t at = impl_->ready.load(std::memory_order_relaxed);
  analyses.at(at) = {key, std::move(made)};
  impl_->ready.store(at + 1, std::memory_order_release);
  return analyses[at].made.get();
}

void* FactTable::allocate(std::size_t bytes, std::size_t alignment) {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->arena.allocate(bytes, alignment);
}

aegis_nodes FactTable::nodes(std::span<const NodeId> ids) {
  std::vector<aegis_node> copy;
  for (const NodeId id : ids) copy.push_back(handle(id));
  return {array<aegis_node>(copy).data(), copy.size()};
}

aegis_values FactTable::values(std::span<const ValueId> ids) {
  std::vector<aegis_value> copy;
  for (const ValueId id : ids) copy.push_back(handle(id));
  return {array<aegis_value>(copy).data(), copy.size()};
}

aegis_str FactTable::text(std::string_view text) { return {array<char>(text).data(), text.size()}; }

aegis_dim FactTable::dim(const Dim& d) {
  std::uint32_t expr = AEGIS_NONE;
  if (d.depends != 0 || d.kind == Dim::Kind::symbol) {
    const std::scoped_lock lock(impl_->mutex);
    const std::uint32_t symbol = d.kind == Dim::Kind::symbol ? d.symbol : 0;
    const auto next = static_cast<std::uint32_t>(impl_->expressions.size());
    const auto [it, fresh] = impl_->numbers.try_emplace({d.kind, symbol, d.depends}, next);
    if (fresh) impl_->expressions.push_back(d);
    expr = it->second;
  }
  return {d.known() ? d.extent : -1, expr, static_cast<std::uint16_t>(d.kind), static_cast<std::uint16_t>(d.origin)};
}

Dim FactTable::dim(const aegis_dim& d) const {
  Dim out;
  if (d.expr != AEGIS_NONE) {
    const std::scoped_lock lock(impl_->mutex);
    if (d.expr < impl_->expressions.size()) out = impl_->expressions[d.expr];
  }
  out.kind = static_cast<Dim::Kind>(d.kind);
  out.origin = static_cast<Dim::Origin>(d.origin);
  out.extent = d.kind == AEGIS_DIM_VALUE ? d.value : -1;
  return out;
}

aegis_extent FactTable::extent(ValueId value, int axis) {
  const aegis_extent unknown{dim(Dim{}), handle(value), axis};
  if (value == ValueId::none) return unknown;
  const auto& type = types_->of(value);
  const int at = axis < 0 ? axis + type.rank() : axis;
  if (!type.ranked() || at < 0 || at >= type.rank()) return unknown;
  return {dim((*type.dims)[static_cast<std::size_t>(at)]), handle(value), at};
}

}  // namespace aegis
