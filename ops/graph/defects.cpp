#include "ops/graph/defects.hpp"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "model/order.hpp"
#include "ops/infer/refusals.hpp"

namespace aegis {
namespace {

aegis_place place(NodeId id) { return {AEGIS_PLACE_NODE, static_cast<std::uint32_t>(id)}; }
aegis_place place(ValueId id) { return {AEGIS_PLACE_VALUE, static_cast<std::uint32_t>(id)}; }
aegis_place place(ScopeId id) { return {AEGIS_PLACE_SCOPE, static_cast<std::uint32_t>(id)}; }
constexpr aegis_place whole_model{AEGIS_PLACE_MODEL, 0};

std::string plain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

class Finder {
 public:
  Finder(const Model& model, const TypeTable& types) : model_(model), types_(types) {}

  std::vector<Defect> run() {
    opsets();
    keys("metadata entry", model_.proto().metadata_props(), [](const auto& entry) { return entry.key(); });
    keys("function", model_.proto().functions(), [](const auto& function) {
      return function.domain() + "::" + function.name() +
             (function.overload().empty() ? "" : ":" + function.overload());
    });
    for (const Scope& scope : model_.scopes()) {
      if (scope.graph == nullptr && scope.function == nullptr) continue;
      names(scope);
      order(scope);
      outer_returns(scope);
    }
    for (const Value& value : model_.values()) {
      if (!value.alive) continue;
      undefined(value);
      negative_dims(value);
    }
    schemas();
    refusals();
    return std::move(found_);
  }

 private:
  void add(std::uint32_t kind, aegis_place at, aegis_place other, std::string name, std::int64_t number = 0) {
    found_.push_back({.kind = kind, .at = at, .other = other, .name = std::move(name), .number = number});
  }

  // Lists that stand for maps.
  template <class List, class Key>
  void keys(std::string_view what, const List& list, Key key) {
    std::map<std::string, std::int64_t> counts;
    for (const auto& item : list) ++counts[key(item)];
    for (const auto& [name, count] : counts)
      if (count > 1)
        add(AEGIS_DEFECT_REPEATED_FIELD, whole_model, whole_model, fmt::format("{} `{}`", what, name), count);
  }

  // The same version twice, as of "" and "ai.onnx", means one thing.
  void opsets() {
    std::map<std::string, std::set<std::int64_t>> versions;
    for (const auto& import : model_.proto().opset_import()) versions[plain(import.domain())].insert(import.version());
    for (const auto& [domain, found] : versions)
      if (found.size() > 1)
        add(AEGIS_DEFECT_REPEATED_FIELD, whole_model, whole_model, fmt::format("opset import `{}`", domain),
            static_cast<std::int64_t>(found.size()));
  }

  // Every name of a scope is defined once.
  void names(const Scope& scope) {
    std::unordered_map<std::string_view, aegis_place> first;
    const auto value_named = [&](const std::string& name) {
      const ValueId id = model_.find(name, scope.id);
      return id == ValueId::none ? place(scope.id) : place(id);
    };
    const auto define = [&](const std::string& name, aegis_place at) {
      if (name.empty()) return;
      const auto [it, fresh] = first.try_emplace(name, at);
      if (!fresh) add(AEGIS_DEFECT_TWO_PRODUCERS, at, it->second, name);
    };
    if (scope.graph != nullptr) {
      std::set<std::string_view> weights;
      for (const auto& tensor : scope.graph->initializer())
        if (!weights.insert(tensor.name()).second)
          add(AEGIS_DEFECT_TWO_INITIALIZERS, value_named(tensor.name()), place(scope.id), tensor.name());
      for (const auto& sparse : scope.graph->sparse_initializer())
        if (!weights.insert(sparse.values().name()).second)
          add(AEGIS_DEFECT_TWO_INITIALIZERS, value_named(sparse.values().name()), place(scope.id),
              sparse.values().name());
      for (const auto& input : scope.graph->input()) define(input.name(), value_named(input.name()));
      for (const auto& weight : scope.graph->initializer())  // an input may have an initializer
        first.try_emplace(weight.name(), value_named(weight.name()));
    }
    if (scope.function != nullptr)
      for (const auto& input : scope.function->input()) define(input, value_named(input));
    for (const NodeId id : scope.nodes)
      for (const auto& output : model_.node(id).proto->output()) define(output, place(id));
  }

  void order(const Scope& scope) {
    const DependencyOrder order = dependency_order(model_, scope);
    if (!order.circle.empty()) {
      std::string text;
      for (const NodeId id : order.circle) text += label(model_, id) + " reads from ";
      add(AEGIS_DEFECT_CYCLE, place(order.circle.front()), place(order.circle.back()),
          text + label(model_, order.circle.front()), static_cast<std::int64_t>(order.circle.size()));
      return;
    }
    if (order.early.empty()) return;
    const auto [node, value] = order.early.front();
    add(AEGIS_DEFECT_UNSORTED, place(node), place(value), std::string(model_.value(value).name),
        static_cast<std::int64_t>(order.early.size()));
  }

  void outer_returns(const Scope& scope) {
    if (scope.owner == NodeId::none) return;
    for (const ValueId id : scope.outputs)
      if (id != ValueId::none && model_.value(id).scope != scope.id)
        add(AEGIS_DEFECT_OUTER_RETURN, place(scope.owner), place(id), std::string(model_.value(id).name));
  }

  void undefined(const Value& value) {
    if (value.producer != NodeId::none || value.input || value.initializer || value.uses.empty()) return;
    const Use& use = value.uses.front();
    add(AEGIS_DEFECT_UNDEFINED, use.node != NodeId::none ? place(use.node) : place(use.scope), place(value.id),
        std::string(value.name), static_cast<std::int64_t>(value.uses.size()));
  }

  void negative_dims(const Value& value) {
    const auto report = [&](std::int64_t extent) {
      add(AEGIS_DEFECT_NEGATIVE_DIM, place(value.id), whole_model, std::string(value.name), extent);
    };
    if (value.declared != nullptr && value.declared->has_tensor_type()) {
      const auto& shape = value.declared->tensor_type().shape();
      for (int i = 0; i < shape.dim_size(); ++i)
        if (shape.dim(i).dim_value() < 0) return report(shape.dim(i).dim_value());
    }
  }

  // Unknown operators and domains, whether or not a walk came by.
  void schemas() {
    std::map<std::string, int> model_opsets;
    for (const auto& import : model_.proto().opset_import())
      model_opsets[plain(import.domain())] = static_cast<int>(import.version());
    for (const Scope& scope : model_.scopes()) {
      const std::map<std::string, int> opsets = opsets_of(scope, model_opsets);
      for (const NodeId id : scope.nodes) schema(model_.node(id), opsets);
    }
  }

  std::map<std::string, int> opsets_of(const Scope& scope, const std::map<std::string, int>& of_model) const {
    const Scope* root = &scope;
    while (root->parent != ScopeId::none) root = &model_.scope(root->parent);
    std::map<std::string, int> out = of_model;
    if (root->function != nullptr)
      for (const auto& import : root->function->opset_import())
        out[plain(import.domain())] = static_cast<int>(import.version());
    return out;
  }

  void schema(const Node& node, const std::map<std::string, int>& opsets) {
    const std::string domain(node.domain), op(node.op);
    const auto import = opsets.find(domain);
    if (import == opsets.end()) {
      add(AEGIS_DEFECT_NO_IMPORT, place(node.id), whole_model, domain.empty() ? "ai.onnx" : domain);
      return;
    }
    if (node.function != ScopeId::none) return;
    const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    const auto range = known.find(domain);
    if (range == known.end() || import->second > range->second.second) return;  // another's operators, or newer ones
    const auto* schema = onnx::OpSchemaRegistry::Schema(op, import->second, domain);
    if (schema != nullptr && !schema->Deprecated()) return;
    const auto* latest = onnx::OpSchemaRegistry::Schema(op, domain);
    std::string name = (domain.empty() ? "" : domain + "::") + op;
    if (schema != nullptr)
      name += fmt::format(" (it went with opset {})", schema->since_version());
    else if (latest != nullptr && !latest->Deprecated())
      name += " (a later one has it)";
    add(AEGIS_DEFECT_UNKNOWN_OP, place(node.id), whole_model, std::move(name), import->second);
  }

  void refusals() {
    for (const RefusedNode& refused : refused_nodes(model_, types_)) {
      const std::uint32_t kind = refused.breach == RefusedNode::Breach::arity       ? AEGIS_DEFECT_ARITY
                                 : refused.breach == RefusedNode::Breach::attribute ? AEGIS_DEFECT_ATTRIBUTE
                                                                                    : AEGIS_DEFECT_SHAPES;
      add(kind, place(refused.node), whole_model, fmt::format("{}: {}", model_.node(refused.node).op, refused.message));
    }
  }

  const Model& model_;
  const TypeTable& types_;
  std::vector<Defect> found_;
};

}  // namespace

std::vector<Defect> find_defects(const Model& model, const TypeTable& types) { return Finder(model, types).run(); }

}  // namespace aegis
