// The index beside the proto: every scope, node and value gets an id, names become ids, uses are counted.
//
// Scopes are built outer first: all names of a scope are known before any of its nodes is wired, so that unsorted files
// and captured values resolve. With hints (after an edit) what survives keeps its id; an id that is no longer used
// stays behind as a dead entry.
#include <fmt/format.h>

#include <charconv>

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
    graph(model.graph(), ScopeKind::main_graph, ScopeId::none, NodeId::none, "", "/");
    for (const auto& f : model.functions()) {
      const ScopeId id = new_scope(&f);
      Scope& scope = s_.scopes[index_of(id)];
      scope.kind = ScopeKind::function;
      scope.function = &f;
      scope.path = fmt::format("/function:{}:{}", f.domain(), f.name());
      functions_.emplace_back(plain_domain(f.domain()), f.name(), id);
      for (const auto& name : f.input()) formal(id, name, nullptr);
      body(id, f.node());
      for (const auto& name : f.output()) scope_output(id, name);
    }
    for (Node& node : s_.nodes)
      for (const auto& [domain, name, scope] : functions_)
        if (node.alive && node.op == name && node.domain == domain) node.function = scope;
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
    for (const auto& input : g.input()) formal(id, input.name(), input.has_type() ? &input.type() : nullptr);
    for (const auto& tensor : g.initializer()) {
      Value& value = define(id, tensor.name());
      value.initializer = true;
      store(value, tensor_source(tensor, s_.payloads, folder_));
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
      if (a.name() == "value" && a.has_t()) store(value, tensor_source(a.t(), s_.payloads, folder_));
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
  const std::string folder_ = s_.path.substr(0, s_.path.rfind('/') + 1);  // of external data; empty: here
  const IdHints& hints_;
  std::vector<std::tuple<std::string_view, std::string_view, ScopeId>> functions_;
};

std::string raw_payload(const onnx::TensorProto& t) {
  if (t.has_raw_data()) return t.raw_data();
  std::string out;
  const auto type = static_cast<DType>(t.data_type());
  const auto put = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  };
  const int width = bits(type) < 8 ? 1 : bits(type) / 8;
  for (const float f : t.float_data()) put(std::bit_cast<std::uint32_t>(f), 4);
  for (const double d : t.double_data()) put(std::bit_cast<std::uint64_t>(d), 8);
  for (const std::int32_t i : t.int32_data()) put(static_cast<std::uint64_t>(static_cast<std::int64_t>(i)), width);
  for (const std::int64_t i : t.int64_data()) put(static_cast<std::uint64_t>(i), 8);
  for (const std::uint64_t i : t.uint64_data()) put(i, width);
  return out;
}

// A number of bytes as external_data spells it; what is no number lies past the end of any file.
std::uint64_t byte_count(const std::string& text) {
  std::uint64_t value = UINT64_MAX;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() ? value : UINT64_MAX;
}

}  // namespace

Result<void> build_index(Model::State& state, const IdHints& hints) {
  Indexer(state, hints).run();
  return {};
}

std::int64_t marker(const onnx::TensorProto& tensor) {
  const auto& unknown = tensor.GetReflection()->GetUnknownFields(tensor);
  for (int i = 0; i < unknown.field_count(); ++i)
    if (unknown.field(i).number() == marker_field) return static_cast<std::int64_t>(unknown.field(i).varint());
  return -1;
}

void set_marker(onnx::TensorProto& tensor, std::size_t payload) {
  auto* unknown = tensor.GetReflection()->MutableUnknownFields(&tensor);
  unknown->DeleteByNumber(marker_field);
  unknown->AddVarint(marker_field, payload);
}

TensorSource tensor_source(const onnx::TensorProto& tensor, std::span<const TensorSource> payloads,
                           const std::string& folder) {
  TensorSource source{.type = static_cast<DType>(tensor.data_type()),
                      .dims = {tensor.dims().begin(), tensor.dims().end()}};
  if (const std::int64_t m = marker(tensor); m >= 0 && static_cast<std::size_t>(m) < payloads.size()) {
    source.field = payloads[static_cast<std::size_t>(m)].field;
    source.from = payloads[static_cast<std::size_t>(m)].from;
    return source;
  }
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    TensorSource::External external{.folder = folder, .location = {}, .offset = 0, .length = source.raw_size()};
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") external.location = entry.value();
      if (entry.key() == "offset") external.offset = byte_count(entry.value());
      if (entry.key() == "length") external.length = byte_count(entry.value());
    }
    source.from = std::move(external);
    return source;
  }
  source.from = std::make_shared<const std::string>(raw_payload(tensor));
  return source;
}

}  // namespace aegis
