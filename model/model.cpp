#include "model/model.hpp"

#include <fmt/format.h>

#include "model/state.hpp"

namespace aegis {
namespace {

std::shared_ptr<const Model::State> empty_state() {
  auto state = std::make_shared<Model::State>();
  state->proto = std::make_unique<onnx::ModelProto>();
  (void)build_index(*state, IdHints{});
  return state;
}

}  // namespace

Model::Model() : state_(empty_state()) {}
Model::~Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::Model(std::shared_ptr<const State> state) : state_(std::move(state)) {}

const onnx::ModelProto& Model::proto() const { return *state_->proto; }
std::span<const Node> Model::nodes() const { return state_->nodes; }
std::span<const Value> Model::values() const { return state_->values; }
std::span<const Scope> Model::scopes() const { return state_->scopes; }
const std::string& Model::path() const { return state_->path; }
std::uint64_t Model::file_bytes() const { return state_->file ? state_->file->size() : 0; }
const std::vector<Error>& Model::load_findings() const { return state_->findings; }
bool Model::edited() const { return state_->edited; }
const std::map<ValueId, Origin>& Model::origins() const { return state_->origins; }
std::int64_t Model::ir_version() const { return proto().ir_version(); }

ValueId Model::find(std::string_view name, ScopeId scope) const {
  for (ScopeId s = scope; s != ScopeId::none; s = this->scope(s).parent) {
    const auto& names = state_->names[index(s)];
    if (const auto it = names.find(name); it != names.end()) return it->second;
  }
  return ValueId::none;
}

bool Model::name_taken(std::string_view name) const {
  if (state_->node_names.contains(name)) return true;
  for (const auto& names : state_->names)
    if (names.contains(name)) return true;
  return false;
}

const TensorSource* Model::initializer(ValueId id) const {
  const std::int32_t source = state_->source_of[index(id)];
  return source < 0 ? nullptr : &state_->sources[static_cast<std::size_t>(source)];
}

const TensorSource* Model::constant(ValueId id) const {
  const Value& v = value(id);
  const bool overridable = v.initializer && v.input && ir_version() >= 4;
  return overridable ? nullptr : initializer(id);
}

std::vector<Opset> Model::opsets() const {
  std::vector<Opset> out;
  for (const auto& import : proto().opset_import())
    out.push_back({.domain = import.domain() == "ai.onnx" ? "" : import.domain(), .version = import.version()});
  return out;
}

std::int64_t Model::opset(std::string_view domain) const {
  for (const auto& import : proto().opset_import())
    if (import.domain() == domain || (domain.empty() && import.domain() == "ai.onnx")) return import.version();
  return 0;
}

std::string label(const Model& model, NodeId id) {
  const Node& node = model.node(id);
  if (!node.name.empty()) return std::string(node.name);
  const auto& nodes = model.scope(node.scope).nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] == id) return fmt::format("#{}", i);
  return "#?";
}

}  // namespace aegis
