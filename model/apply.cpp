// apply(): one copy of the skeleton, all edits on it, one new index.
//
// Node lists of touched scopes are taken out as pointers, edited, sorted again when an edit broke their order, and put
// back, so that a NodeProto keeps its address and its id from start to end. Payloads are shared with the model before;
// a new one is appended to the table, or written inline when it is small enough for inference to read it.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/edit_proto.hpp"
#include "model/load.hpp"
#include "model/out_of_memory.hpp"
#include "model/patch.hpp"
#include "model/state.hpp"

namespace aegis {
namespace {

using google::protobuf::RepeatedPtrField;
using onnx::NodeProto;

Error refused(const Patch& patch, std::string why) {
  return Error{.fault = Fault::internal, .message = fmt::format("patch '{}' of {}: {}", patch.label, patch.pass, why)};
}

class Editor {
 public:
  explicit Editor(const Model& before) : before_(before), proto_(std::make_unique<onnx::ModelProto>(before.proto())) {
    hints_.before = &before.state();
    payloads_ = before.state().payloads;
    node_of_.resize(before.nodes().size(), nullptr);
    graph_of_.resize(before.scopes().size(), nullptr);
    list_of_.resize(before.scopes().size(), nullptr);
    pair(before.proto().graph(), *proto_->mutable_graph());
    for (int i = 0; i < proto_->functions_size(); ++i) {
      auto& f = *proto_->mutable_functions(i);
      const ScopeId id = scope_at(&before.proto().functions(i));
      hints_.scopes[&f] = id;
      list_of_[index(id)] = f.mutable_node();
      pair_nodes(before.proto().functions(i).node(), *f.mutable_node());
    }
  }

  Result<void> run(const Patch& patch) {
    patch_ = &patch;
    for (const Edit& edit : patch.edits) AEGIS_CHECK(std::visit([&](const auto& e) { return (*this)(e); }, edit));
    return {};
  }

  Result<Model> finish(std::span<const Patch> patches) {
    for (auto it = lists_.rbegin(); it != lists_.rend(); ++it) {  // inner scopes first: the outer ones read their nodes
      auto& [scope, nodes] = *it;
      if (!sort_nodes(nodes))
        return Error{.fault = Fault::internal,
                     .message = fmt::format("the edited nodes of scope {} form a cycle", before_.scope(scope).path)};
      auto& list = *list_of_[index(scope)];
      list.Reserve(static_cast<int>(nodes.size()));  // so that each node has one owner whatever fails
      for (NodeProto*& node : nodes) list.AddAllocated(std::exchange(node, nullptr));
      nodes.clear();
    }
    auto state = std::make_shared<Model::State>();
    state->proto = std::move(proto_);
    state->payloads = std::move(payloads_);
    state->file = before_.state().file;
    state->path = before_.path();
    state->beside = before_.state().beside;
    state->findings = before_.load_findings();
    state->edited = true;
    state->origins = before_.origins();
    AEGIS_CHECK(build_index(*state, hints_));
    Model model{std::shared_ptr<const Model::State>(state)};
    AEGIS_CHECK(consistent(model));
    for (const Patch& patch : patches)
      for (const auto& [name, origin] : patch.origins)
        for (const Scope& scope : model.scopes())
          if (const auto it = state->names[index(scope.id)].find(name); it != state->names[index(scope.id)].end())
            state->origins[it->second] = origin;
    return model;
  }

  ~Editor() {
    for (auto& [scope, nodes] : lists_)
      for (NodeProto* node : nodes) delete node;
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

 private:
  // --- pairing the copy with the ids of the model before

  ScopeId scope_at(const void* proto) const {
    for (const Scope& scope : before_.scopes())
      if (scope.graph == proto || scope.function == proto) return scope.id;
    return ScopeId::none;
  }
  void pair(const onnx::GraphProto& old, onnx::GraphProto& copy) {
    const ScopeId id = scope_at(&old);
    hints_.scopes[&copy] = id;
    graph_of_[index(id)] = &copy;
    list_of_[index(id)] = copy.mutable_node();
    pair_nodes(old.node(), *copy.mutable_node());
  }
  void pair_nodes(const RepeatedPtrField<NodeProto>& old, RepeatedPtrField<NodeProto>& copy) {
    if (ids_.empty())
      for (const Node& node : before_.nodes())
        if (node.alive) ids_[node.proto] = node.id;
    for (int i = 0; i < old.size(); ++i) {
      const NodeId id = ids_.at(&old[i]);
      hints_.nodes[&copy[i]] = id;
      node_of_[index(id)] = &copy[i];
      for (int a = 0; a < old[i].attribute_size(); ++a)
        if (old[i].attribute(a).has_g()) pair(old[i].attribute(a).g(), *copy[i].mutable_attribute(a)->mutable_g());
    }
  }

  std::vector<NodeProto*>& list(ScopeId scope) {
    auto [it, added] = lists_.try_emplace(scope);
    if (added) {
      auto* field = list_of_[index(scope)];
      it->second.resize(static_cast<std::size_t>(field->size()));
      if (!it->second.empty()) field->ExtractSubrange(0, field->size(), it->second.data());
    }
    return it->second;
  }
  // The order of a scope, and of those around it, may change with what its nodes read and write.
  void touch(NodeId id) {
    for (ScopeId s = before_.node(id).scope; s != ScopeId::none; s = before_.scope(s).parent) list(s);
  }
  Result<NodeProto*> node(NodeId id) {
    if (index(id) >= node_of_.size() || node_of_[index(id)] == nullptr)
      return refused(*patch_, fmt::format("node {} does not exist any more", index(id)));
    return node_of_[index(id)];
  }
  Result<onnx::GraphProto*> graph(ScopeId id) {
    if (index(id) >= graph_of_.size() || graph_of_[index(id)] == nullptr)
      return refused(*patch_, "a function has no initializers and no value types to edit");
    return graph_of_[index(id)];
  }
  // Two edits may not want different things of one place.
  Result<void> claim(NodeId id, const std::string& place, const std::string& what) {
    const auto [it, added] = claims_.try_emplace({id, place}, what);
    if (!added && it->second != what)
      return refused(*patch_,
                     fmt::format("conflict at {} {}: '{}' against '{}'", label(before_, id), place, it->second, what));
    return {};
  }

  // --- edits

  Result<void> operator()(const edit::InsertNode& e) {
    auto proto = std::make_unique<NodeProto>();
    proto->set_op_type(e.op);
    proto->set_domain(e.domain);
    proto->set_name(e.name);
    for (const auto& name : e.inputs) proto->add_input(name);
    for (const auto& name : e.outputs) proto->add_output(name);
    for (const auto& a : e.attributes) set_attribute(*proto, a);
    auto& nodes = list(e.scope);
    auto place = nodes.end();
    if (e.before != NodeId::none) {
      AEGIS_TRY(NodeProto * before, node(e.before));
      place = std::find(nodes.begin(), nodes.end(), before);
    }
    nodes.insert(place, proto.get());
    proto.release();
    return {};
  }
  Result<void> operator()(const edit::DropNode& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    auto& nodes = list(before_.node(e.node).scope);
    nodes.erase(std::find(nodes.begin(), nodes.end(), proto));
    hints_.nodes.erase(proto);
    node_of_[index(e.node)] = nullptr;
    delete proto;
    return {};
  }
  Result<void> operator()(const edit::SetInput& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    AEGIS_CHECK(claim(e.node, fmt::format("input {}", e.slot), e.value));
    touch(e.node);
    while (proto->input_size() <= static_cast<int>(e.slot)) proto->add_input("");
    proto->set_input(static_cast<int>(e.slot), e.value);
    return {};
  }
  Result<void> operator()(const edit::SetOutput& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    AEGIS_CHECK(claim(e.node, fmt::format("output {}", e.slot), e.value));
    touch(e.node);
    while (proto->output_size() <= static_cast<int>(e.slot)) proto->add_output("");
    proto->set_output(static_cast<int>(e.slot), e.value);
    return {};
  }
  Result<void> operator()(const edit::SetOp& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    AEGIS_CHECK(claim(e.node, "operator", e.domain + "::" + e.op));
    proto->set_op_type(e.op);
    proto->set_domain(e.domain);
    return {};
  }
  Result<void> operator()(const edit::SetAttribute& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    NodeProto probe;
    set_attribute(probe, e.attribute);
    AEGIS_CHECK(claim(e.node, "attribute " + e.attribute.name, probe.SerializeAsString()));
    set_attribute(*proto, e.attribute);
    return {};
  }
  Result<void> operator()(const edit::DropAttribute& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    auto& attributes = *proto->mutable_attribute();
    for (int i = attributes.size() - 1; i >= 0; --i)
      if (attributes[i].name() == e.attribute) attributes.DeleteSubrange(i, 1);
    return {};
  }
  Result<void> operator()(const edit::ReplaceNode& e) {
    AEGIS_TRY(NodeProto * proto, node(e.node));
    AEGIS_CHECK(claim(e.node, "whole", e.serialised));
    touch(e.node);
    if (!proto->ParseFromString(e.serialised)) return refused(*patch_, "a replacement node does not parse");
    return {};
  }

  Result<void> fill(onnx::TensorProto& tensor, const TensorSource& source) {
    const std::string name = tensor.name(), doc = tensor.doc_string();
    tensor.Clear();
    tensor.set_name(name);
    if (!doc.empty()) tensor.set_doc_string(doc);
    tensor.set_data_type(static_cast<int>(source.type));
    for (const std::int64_t d : source.dims) tensor.add_dims(d);
    if (source.raw_size() <= inline_payload_bytes && source.type != DType::string) {
      AEGIS_TRY(const Tensor made, source.read());
      tensor.set_raw_data(made.data->data(), made.data->size());
      return {};
    }
    set_marker(tensor, {.field = static_cast<std::uint32_t>(source.field),
                        .payload = static_cast<std::uint32_t>(payloads_.size())});
    payloads_.push_back(source);
    return {};
  }
  static void declare(onnx::ValueInfoProto& info, const TensorSource& source) {
    auto* type = info.mutable_type()->mutable_tensor_type();
    type->Clear();
    type->set_elem_type(static_cast<int>(source.type));
    type->mutable_shape();
    for (const std::int64_t d : source.dims) type->mutable_shape()->add_dim()->set_dim_value(d);
  }
  Result<void> operator()(const edit::SetTensor& e) {
    const Value& value = before_.value(e.value);
    AEGIS_TRY(onnx::GraphProto * g, graph(value.scope));
    for (auto& tensor : *g->mutable_initializer()) {
      if (tensor.name() != value.name) continue;
      for (auto& input : *g->mutable_input())
        if (input.name() == value.name) declare(input, e.source);
      for (auto& info : *g->mutable_value_info())
        if (info.name() == value.name) declare(info, e.source);
      return fill(tensor, e.source);
    }
    return refused(*patch_, fmt::format("'{}' is no initializer", value.name));
  }
  Result<void> operator()(const edit::AddTensor& e) {
    AEGIS_TRY(onnx::GraphProto * g, graph(e.scope));
    auto* tensor = g->add_initializer();
    tensor->set_name(e.name);
    if (proto_->ir_version() < 4 && e.scope == ScopeId::main) {  // IR 3: every initializer is listed as an input
      auto* input = g->add_input();
      input->set_name(e.name);
      declare(*input, e.source);
    }
    return fill(*tensor, e.source);
  }
  Result<void> operator()(const edit::DropTensor& e) {
    const Value& value = before_.value(e.value);
    AEGIS_TRY(onnx::GraphProto * g, graph(value.scope));
    drop_named(*g->mutable_initializer(), value.name);
    drop_named(*g->mutable_value_info(), value.name);
    if (proto_->ir_version() < 4) drop_named(*g->mutable_input(), value.name);
    return {};
  }
  template <class Field>
  static void drop_named(Field& field, std::string_view name) {
    for (int i = field.size() - 1; i >= 0; --i)
      if (field[i].name() == name) field.DeleteSubrange(i, 1);
  }
  template <class Imports>
  static void import(Imports& imports, const edit::SetOpset& e, bool add) {
    for (auto& import : imports)
      if (import.domain() == e.domain || (e.domain.empty() && import.domain() == "ai.onnx")) {
        import.set_version(e.version);
        return;
      }
    if (!add) return;
    auto* import = imports.Add();
    import->set_domain(e.domain);
    import->set_version(e.version);
  }
  Result<void> operator()(const edit::SetOpset& e) {
    import(*proto_->mutable_opset_import(), e, true);
    for (auto& f : *proto_->mutable_functions()) import(*f.mutable_opset_import(), e, false);
    return {};
  }
  Result<void> operator()(const edit::SetIrVersion& e) {
    proto_->set_ir_version(e.version);
    return {};
  }
  Result<void> operator()(const edit::SetValueInfo& e) {
    AEGIS_TRY(onnx::GraphProto * g, graph(e.scope));
    onnx::ValueInfoProto* info = nullptr;
    for (auto& entry : *g->mutable_value_info())
      if (entry.name() == e.name) info = &entry;
    bool formal = false;
    if (e.scope != ScopeId::main) {
      for (auto* entries : {g->mutable_input(), g->mutable_output()})
        for (auto& entry : *entries)
          if (entry.name() == e.name) {
            info = &entry;
            formal = true;
          }
    }
    if (info == nullptr) {
      info = g->add_value_info();
      info->set_name(e.name);
    }
    auto* type = info->mutable_type()->mutable_tensor_type();
    if (!formal || e.dims) type->Clear();
    type->set_elem_type(static_cast<int>(e.type));
    if (!e.dims) return {};
    type->mutable_shape();
    for (const std::int64_t d : *e.dims) {
      auto* dim = type->mutable_shape()->add_dim();
      if (d >= 0) dim->set_dim_value(d);
    }
    return {};
  }
  Result<void> operator()(const edit::DropValueInfo& e) {
    AEGIS_TRY(onnx::GraphProto * g, graph(e.scope));
    drop_named(*g->mutable_value_info(), e.name);
    return {};
  }

  // --- consistency

  // What an edit may not do: make a name twice, or leave a reader without its value.
  Result<void> consistent(const Model& after) const {
    std::set<ValueId> produced;
    for (const Node& node : after.nodes()) {
      if (!node.alive) continue;
      for (const ValueId out : node.outputs) {
        if (out == ValueId::none) continue;
        const bool twice = !produced.insert(out).second || after.value(out).input || after.value(out).initializer;
        if (twice && !was_twice(out))
          return Error{.fault = Fault::internal,
                       .message = fmt::format("after the edit '{}' is defined twice", after.value(out).name),
                       .where = label(after, node.id)};
      }
    }
    for (const Value& value : after.values()) {
      if (!value.alive || value.uses.empty() || !undefined(value)) continue;
      const bool before_too = index(value.id) < before_.values().size() && undefined(before_.value(value.id));
      if (!before_too)
        return Error{.fault = Fault::internal,
                     .message = fmt::format("after the edit nothing defines '{}'", value.name)};
    }
    return {};
  }
  static bool undefined(const Value& v) { return v.producer == NodeId::none && !v.input && !v.initializer; }
  bool was_twice(ValueId id) const {
    if (index(id) >= before_.values().size()) return false;
    const Value& v = before_.value(id);
    if (v.producer != NodeId::none && (v.input || v.initializer)) return true;
    int producers = 0;
    for (const Node& node : before_.nodes())
      if (node.alive) producers += static_cast<int>(std::count(node.outputs.begin(), node.outputs.end(), id));
    return producers > 1;
  }

  const Model& before_;
  std::unique_ptr<onnx::ModelProto> proto_;
  IdHints hints_;
  std::vector<TensorSource> payloads_;
  std::vector<NodeProto*> node_of_;
  std::vector<onnx::GraphProto*> graph_of_;
  std::vector<RepeatedPtrField<NodeProto>*> list_of_;
  std::unordered_map<const NodeProto*, NodeId> ids_;
  std::map<ScopeId, std::vector<NodeProto*>> lists_;
  std::map<std::pair<NodeId, std::string>, std::string> claims_;
  const Patch* patch_ = nullptr;
};

}  // namespace

Result<Model> apply(const Model& model, std::span<const Patch> patches) {
  return guarded([&]() -> Result<Model> {
    Editor editor(model);
    for (const Patch& patch : patches) AEGIS_CHECK(editor.run(patch));
    return editor.finish(patches);
  });
}

}  // namespace aegis
