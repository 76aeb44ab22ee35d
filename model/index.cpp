// The index beside the proto: every scope, node and value gets an id, names become ids, uses are counted.
//
// Scopes are built outer first: all names of a scope are known before any of its nodes is wired, so that unsorted files
// and captured values resolve. With hints (after an edit) what survives keeps its id; an id that is no longer used
// stays behind as a dead entry.
#include <fmt/format.h>

#include <map>

#include "model/state.hpp"

namespace aegis {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

std::string_view plain_domain(const std::string& domain) {
  return domain == "ai.onnx" ? std::string_view() : std::string_view(domain);
}

class Indexer {
 public:
  Indexer(Model::State& state, const IdHints& hints) : s_(state), hints_(hints) {
    if (hints.before != nullptr) {
      s_.nodes.resize(hints.before->nodes.size());
      s_.values.resize(hints.before->values.size());
      s_.scopes.resize(hints.before->scopes.size());
      s_.source_of.assign(s_.values.size(), -1);
      s_.names.resize(s_.scopes.size());
    }
  }

  void run() {
    const auto& model = *s_.proto;
    s_.node_names.reserve(static_cast<std::size_t>(model.graph().node_size()));
    graph(model.graph(), ScopeKind::main_graph, ScopeId::none, NodeId::none, "", "/");
    for (const auto& f : model.functions()) {
      const ScopeId id = new_scope(&f);
      Scope& scope = s_.scopes[index_of(id)];
      scope.kind = ScopeKind::function;
      scope.function = &f;
      scope.path = fmt::format("/function:{}:{}", f.domain(), f.name());
      functions_.insert_or_assign({plain_domain(f.domain()), f.name()}, id);
      for (const auto& name : f.input()) formal(id, name, nullptr);
      body(id, f.node());
      for (const auto& name : f.output()) scope_output(id, name);
    }
    if (functions_.empty()) return;
    for (Node& node : s_.nodes)
      if (const auto found = functions_.find({node.domain, node.op}); node.alive && found != functions_.end())
        node.function = found->second;
  }

 private:
  static std::size_t index_of(ScopeId id) { return static_cast<std::size_t>(id); }
  static std::size_t index_of(ValueId id) { return static_cast<std::size_t>(id); }

  ScopeId new_scope(const void* proto) {
    ScopeId id{static_cast<std::uint32_t>(s_.scopes.size())};
    if (const auto hint = hints_.scopes.find(proto); hint != hints_.scopes.end()) {
      id = hint->second;
    } else {
      s_.scopes.emplace_back();
      s_.names.emplace_back();
    }
    s_.scopes[index_of(id)].id = id;
    return id;
  }

  // The value of that name in the scope; made when it is new.
  Value& define(ScopeId scope, const std::string& name) {
    auto& names = s_.names[index_of(scope)];
    if (const auto it = names.find(name); it != names.end()) return s_.values[index_of(it->second)];
    ValueId id{static_cast<std::uint32_t>(s_.values.size())};
    bool known = false;
    if (hints_.before != nullptr && index_of(scope) < hints_.before->names.size()) {
      const auto& old = hints_.before->names[index_of(scope)];
      if (const auto it = old.find(name); it != old.end()) {
        id = it->second;
        known = true;
      }
    }
    if (!known) {
      s_.values.emplace_back();
      s_.source_of.push_back(-1);
    }
    names.emplace(name, id);
    Value& value = s_.values[index_of(id)];
    value.id = id;
    value.scope = scope;
    value.alive = true;
    value.name = name;
    return value;
  }

  void formal(ScopeId scope, const std::string& name, const onnx::TypeProto* type) {
    Value& value = define(scope, name);
    value.input = true;
    value.declared = type;
    s_.scopes[index_of(scope)].inputs.push_back(value.id);
  }

  void scope_output(ScopeId scope, const std::string& name) {
    const ValueId id = resolve(scope, name);
    Value& value = s_.values[index_of(id)];
    value.uses.push_back({.node = NodeId::none,
                          .slot = static_cast<std::uint32_t>(s_.scopes[index_of(scope)].outputs.size()),
                          .scope = scope});
    if (value.scope == scope) value.output = true;
    s_.scopes[index_of(scope)].outputs.push_back(id);
  }

  ValueId resolve(ScopeId scope, const std::string& name) {
    for (ScopeId s = scope; s != ScopeId::none; s = s_.scopes[index_of(s)].parent) {
      const auto& names = s_.names[index_of(s)];
      if (const auto it = names.find(name); it != names.end()) return it->second;
    }
    return define(scope, name).id;  // undefined: a value without producer, input or data
  }

  void store(Value& value, TensorSource source) {
    s_.source_of[index_of(value.id)] = static_cast<std::int32_t>(s_.sources.size());
    s_.sources.push_back(std::move(source));
  }

  ScopeId graph(const onnx::GraphProto& g, ScopeKind kind, ScopeId parent, NodeId owner, const std::string& attribute,
                std::string path) {
    const ScopeId id = new_scope(&g);
    {
      Scope& scope = s_.scopes[index_of(id)];
      scope.kind = kind;
      scope.parent = parent;
      scope.owner = owner;
      scope.attribute = attribute;
      scope.path = std::move(path);
      scope.graph = &g;
    }
    s_.names[index_of(id)].reserve(static_cast<std::size_t>(g.input_size()) +
                                   static_cast<std::size_t>(g.initializer_size()) +
                                   static_cast<std::size_t>(g.node_size()));
    for (const auto& input : g.input()) formal(id, input.name(), input.has_type() ? &input.type() : nullptr);
    for (const auto& tensor : g.initializer()) {
      Value& value = define(id, tensor.name());
      value.initializer = true;
      store(value, tensor_source(tensor, s_.payloads, s_.beside));
      s_.scopes[index_of(id)].initializers.push_back(value.id);
    }
    for (const auto& tensor : g.sparse_initializer()) define(id, tensor.values().name()).initializer = true;
    body(id, g.node());
    for (const auto& info : g.value_info())
      if (const auto it = s_.names[index_of(id)].find(info.name());
          it != s_.names[index_of(id)].end() && info.has_type())
        if (auto& value = s_.values[index_of(it->second)]; value.declared == nullptr) value.declared = &info.type();
    for (const auto& output : g.output()) {
      scope_output(id, output.name());
      Value& value = s_.values[index_of(s_.scopes[index_of(id)].outputs.back())];
      if (value.scope == id && output.has_type() && !value.input) value.declared = &output.type();
    }
    return id;
  }

  template <class Nodes>
  void body(ScopeId scope, const Nodes& protos) {
    std::vector<NodeId> ids;
    for (const NodeProto& proto : protos) {
      NodeId id{static_cast<std::uint32_t>(s_.nodes.size())};
      if (const auto hint = hints_.nodes.find(&proto); hint != hints_.nodes.end()) {
        id = hint->second;
      } else {
        s_.nodes.emplace_back();
      }
      Node& node = s_.nodes[static_cast<std::size_t>(id)];
      node.id = id;
      node.scope = scope;
      node.alive = true;
      node.op = proto.op_type();
      node.domain = plain_domain(proto.domain());
      node.name = proto.name();
      node.proto = &proto;
      if (!node.name.empty()) s_.node_names.insert(node.name);
      for (const auto& name : proto.output()) {
        if (name.empty()) {
          node.outputs.push_back(ValueId::none);
          continue;
        }
        Value& value = define(scope, name);
        if (value.producer == NodeId::none) value.producer = id;
        node.outputs.push_back(value.id);
      }
      if (node.op == "Constant" && node.domain.empty()) constant(node, proto);
      ids.push_back(id);
    }
    s_.scopes[index_of(scope)].nodes = ids;
    std::size_t position = 0;
    for (const NodeProto& proto : protos) {
      wire(ids[position], scope, proto, position);
      ++position;
    }
  }

  void wire(NodeId id, ScopeId scope, const NodeProto& proto, std::size_t position) {
    std::uint32_t slot = 0;
    for (const auto& name : proto.input()) {
      const ValueId value = name.empty() ? ValueId::none : resolve(scope, name);
      s_.nodes[static_cast<std::size_t>(id)].inputs.push_back(value);
      if (value != ValueId::none) s_.values[index_of(value)].uses.push_back({.node = id, .slot = slot, .scope = scope});
      ++slot;
    }
    for (const AttributeProto& a : proto.attribute()) {
      if (a.type() != AttributeProto::GRAPH && !a.has_g()) continue;
      const std::string base = s_.scopes[index_of(scope)].path;
      const std::string owner = proto.name().empty() ? fmt::format("#{}", position) : proto.name();
      const ScopeId inner = graph(a.g(), ScopeKind::subgraph, scope, id, a.name(),
                                  fmt::format("{}{}{}/{}", base, base == "/" ? "" : "/", owner, a.name()));
      s_.nodes[static_cast<std::size_t>(id)].bodies.push_back(inner);
    }
  }

  void constant(Node& node, const NodeProto& proto) {
    if (node.outputs.empty() || node.outputs[0] == ValueId::none) return;
    Value& value = s_.values[index_of(node.outputs[0])];
    for (const AttributeProto& a : proto.attribute()) {
      if (!a.ref_attr_name().empty()) continue;  // the value comes with each call of the function
      if (a.name() == "value" && a.has_t()) store(value, tensor_source(a.t(), s_.payloads, s_.beside));
      if (a.name() == "value_int") {
        const std::int64_t i[] = {a.i()};
        store(value, TensorSource::owned(from_integers({}, i)));
      }
      if (a.name() == "value_ints")
        store(value, TensorSource::owned(from_integers(
                         {a.ints_size()}, std::span(a.ints().data(), static_cast<std::size_t>(a.ints_size())))));
      if (a.name() == "value_float") {
        const double f[] = {static_cast<double>(a.f())};
        store(value, TensorSource::owned(from_doubles(DType::f32, {}, f)));
      }
      if (a.name() == "value_floats") {
        const std::vector<double> f(a.floats().begin(), a.floats().end());
        store(value, TensorSource::owned(from_doubles(DType::f32, {a.floats_size()}, f)));
      }
    }
  }

  Model::State& s_;
  const IdHints& hints_;
  std::map<std::pair<std::string_view, std::string_view>, ScopeId> functions_;  // by domain and name
};

}  // namespace

Result<void> build_index(Model::State& state, const IdHints& hints) {
  Indexer(state, hints).run();
  return {};
}

}  // namespace aegis
