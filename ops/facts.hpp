// FactTable: what can be told of one Model, for one Target and one binding. Facts are made when first asked for, once,
// and live as long as the table. Bound to one immutable Model, so never stale. Safe for many threads.
//
// A fact is a plain struct of the SDK (plugins/sdk/aegis/facts). Rules ask by id through the plugin line; C++ asks by
// type: table.get<aegis_gemm>(node).
#pragma once

#include <aegis/aegis.h>
#include <aegis/facts.h>
#include <aegis/rule/ids.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model/model.hpp"
#include "ops/evaluator.hpp"
#include "ops/infer.hpp"
#include "ops/target.hpp"

namespace aegis {

enum class GroupId : std::uint32_t { none = 0xffffffffu };

// What the model is judged as: the type it would run in, the runtime, and what rules may read.
struct View {
  Compute planned = 0;                        // 0: as stored; else the type that float values would have
  bool tf32 = true;                           // FLOAT products run as TF32 where the target has it
  std::uint32_t runtime = AEGIS_RUNTIME_ANY;  // AEGIS_RUNTIME_*
  std::string runtime_version;
  bool old_library = false;  // cuBLAS before 11
  bool weights = false, data = false;
  bool assumed = false;  // some symbols have numbers that Aegis assumed
  std::uint32_t index = 0, count = 1;
};

class FactTable {
 public:
  // All but the view are borrowed and must outlive the table. Without evaluator, facts that need values are absent.
  FactTable(const Model& model, const TypeTable& types, const Target& target, View view,
            const Evaluator* evaluator = nullptr);
  ~FactTable();
  FactTable(const FactTable&) = delete;
  FactTable& operator=(const FactTable&) = delete;

  const Model& model() const { return *model_; }
  const TypeTable& types() const { return *types_; }
  const Target& target() const { return *target_; }
  const View& view() const { return view_; }
  const Evaluator* evaluator() const { return evaluator_; }

  // The fact `id` of a place, as the SDK's struct; null with a reason (`why` may be null).
  const void* fact(std::string_view id, aegis_place place, aegis_absence* why);
  aegis_status query(std::string_view id, const void* in, void* out);

  template <class T>
  const T* get(NodeId node, aegis_absence* why = nullptr) {
    return typed<T>(AEGIS_PLACE_NODE, static_cast<std::uint32_t>(node), why);
  }
  template <class T>
  const T* get(ValueId value, aegis_absence* why = nullptr) {
    return typed<T>(AEGIS_PLACE_VALUE, static_cast<std::uint32_t>(value), why);
  }
  template <class T>
  const T* get(GroupId group, aegis_absence* why = nullptr) {
    return typed<T>(AEGIS_PLACE_GROUP, static_cast<std::uint32_t>(group), why);
  }
  template <class T>
  const T* get(ScopeId scope, aegis_absence* why = nullptr) {
    return typed<T>(AEGIS_PLACE_SCOPE, static_cast<std::uint32_t>(scope), why);
  }
  template <class T>
  const T* get(aegis_absence* why = nullptr) {
    return typed<T>(AEGIS_PLACE_MODEL, 0, why);
  }

  // Ids of the groups of equal nodes, in the order of their first members.
  std::span<const GroupId> groups();
  // Ids of the patterns, chains and fusion groups of one kind (AEGIS_PATTERN_*), equal copies merged.
  std::span<const GroupId> groups(std::uint32_t pattern_kind);
  GroupId group_of(NodeId node);

  // How many facts were made, of one id or of all.
  std::uint64_t made(std::string_view id = {}) const;

  // A whole-model analysis that several facts share: constructed from the table when first asked for.
  template <class A>
  const A& analysis() {
    return *static_cast<const A*>(shared(
        &analysis_key<A>, [](FactTable& table) -> std::shared_ptr<const void> { return std::make_shared<A>(table); }));
  }

  // Memory for facts: lives as long as the table. Made zero; struct_size is set where there is one.
  template <class T>
  T* make() {
    static_assert(std::is_trivially_destructible_v<T>);
    T* made = new (allocate(sizeof(T), alignof(T))) T{};
    if constexpr (requires { made->struct_size; }) made->struct_size = static_cast<std::uint32_t>(sizeof(T));
    return made;
  }
  template <class T>
  std::span<T> array(std::span<const T> items) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (items.empty()) return {};
    T* copy = static_cast<T*>(allocate(items.size_bytes(), alignof(T)));
    std::uninitialized_copy(items.begin(), items.end(), copy);
    return {copy, items.size()};
  }
  template <class T>
  aegis_list list(std::span<const T> items) {
    return {array(items).data(), static_cast<std::uint32_t>(items.size()), static_cast<std::uint32_t>(sizeof(T))};
  }
  aegis_nodes nodes(std::span<const NodeId> ids);
  aegis_values values(std::span<const ValueId> ids);
  aegis_str text(std::string_view text);  // copied

  // Dims across the plugin line and back. `expr` names what the extent depends on.
  aegis_dim dim(const Dim& dim);
  Dim dim(const aegis_dim& dim) const;
  // Axis `axis` of a value; negative axes count from the end. Unknown where there is no such axis.
  aegis_extent extent(ValueId value, int axis);

 private:
  struct Impl;
  template <class A>
  static constexpr char analysis_key = 0;

  template <class T>
  const T* typed(std::uint32_t kind, std::uint32_t id, aegis_absence* why) {
    return static_cast<const T*>(fact(sdk::fact_id<T>, {kind, id}, why));
  }
  const void* shared(const char* key, std::shared_ptr<const void> (*maker)(FactTable&));
  void* allocate(std::size_t bytes, std::size_t alignment);

  const Model* model_;
  const TypeTable* types_;
  const Target* target_;
  View view_;
  const Evaluator* evaluator_;
  std::unique_ptr<Impl> impl_;
};

inline aegis_node handle(NodeId id) { return {static_cast<std::uint32_t>(id)}; }
inline aegis_value handle(ValueId id) { return {static_cast<std::uint32_t>(id)}; }
inline aegis_scope handle(ScopeId id) { return {static_cast<std::uint32_t>(id)}; }
inline aegis_group handle(GroupId id) { return {static_cast<std::uint32_t>(id)}; }
inline NodeId id_of(aegis_node node) { return NodeId{node.id}; }
inline ValueId id_of(aegis_value value) { return ValueId{value.id}; }
inline ScopeId id_of(aegis_scope scope) { return ScopeId{scope.id}; }
inline GroupId id_of(aegis_group group) { return GroupId{group.id}; }
inline aegis_answer answer(Answer a) { return static_cast<aegis_answer>(a); }

}  // namespace aegis
