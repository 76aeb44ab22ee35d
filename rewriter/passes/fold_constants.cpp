// Folds nodes whose inputs are all stored constants, and shape arithmetic whose numbers inference knows, into
// initializers. Exact: the bits are what the engine computes. Results stay small, so a weight is never duplicated for
// the sake of a view.
#include <fmt/format.h>

#include <map>
#include <set>

#include "rewriter/pass.hpp"

namespace aegis {
namespace {

constexpr std::int64_t max_elements = 1 << 16;  // of a folded result

bool random(std::string_view op) {
  return op == "RandomNormal" || op == "RandomUniform" || op == "RandomNormalLike" || op == "RandomUniformLike" ||
         op == "Bernoulli" || op == "Multinomial" || op == "Dropout";
}

class Folder {
 public:
  explicit Folder(const PassInput& input) : input_(input), model_(*input.model) {}

  PassOutput run() {
    for (const NodeId id : model_.main().nodes) visit(model_.node(id));
    if (!folded_.empty()) emit();
    return std::move(out_);
  }

 private:
  // The constant behind a value: stored, or folded before.
  const Tensor* constant(ValueId value) {
    if (const auto found = known_.find(value); found != known_.end()) return &found->second;
    const TensorSource* source = model_.constant(value);
    if (source == nullptr || source->type == DType::string || source->elements() > max_elements) return nullptr;
    Result<Tensor> tensor = source->read();
    if (!tensor) return nullptr;
    return &known_.emplace(value, *std::move(tensor)).first->second;
  }

  bool foldable(const Node& node) const {
    if (!node.bodies.empty() || node.function != ScopeId::none || random(node.op) || node.op == "Constant")
      return false;
    for (const ValueId output : node.outputs) {
      if (output == ValueId::none) continue;
      const ValueType& type = input_.types->of(output);
      const std::optional<std::int64_t> elements = type.elements();
      if (!type.tensor() || type.dtype == DType::string || !elements || *elements > max_elements) return false;
      if (model_.value(output).output) return false;  // a graph output needs a node that makes it
    }
    return true;
  }

  void visit(const Node& node) {
    if (!foldable(node)) return;
    std::vector<Tensor> results;
    if (!from_known(node, results) && !from_engine(node, results)) return;
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (node.outputs[slot] != ValueId::none) known_.insert_or_assign(node.outputs[slot], results[slot]);
    }
    folded_.push_back(node.id);
  }

  // Integers that inference followed through Shape, Gather, Concat and their kin.
  bool from_known(const Node& node, std::vector<Tensor>& results) const {
    if (node.outputs.size() != 1) return false;
    const TypeTable& types = *input_.types;
    const std::size_t at = index(node.outputs[0]);
    if (at >= types.has_known.size() || !types.has_known[at]) return false;
    const ValueType& type = types.of(node.outputs[0]);
    const std::optional<std::vector<std::int64_t>> shape = type.shape();
    if (type.dtype != DType::i64 || !shape ||
        element_count(*shape) != static_cast<std::int64_t>(types.known[at].size()))
      return false;
    results.push_back(from_integers(*shape, types.known[at]));
    return true;
  }

  bool from_engine(const Node& node, std::vector<Tensor>& results) {
    if (input_.evaluator == nullptr) return false;
    std::vector<const Tensor*> inputs;
    for (const ValueId value : node.inputs) {
      const Tensor* tensor = value == ValueId::none ? nullptr : constant(value);
      if (tensor == nullptr && value != ValueId::none) return false;
      inputs.push_back(tensor);
    }
    Result<std::vector<Tensor>> made = input_.evaluator->evaluate(model_, node, inputs);
    if (!made || made->size() < node.outputs.size()) return false;
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      const Tensor& tensor = (*made)[slot];
      if (node.outputs[slot] != ValueId::none &&
          (tensor.data == nullptr || tensor.type != input_.types->of(node.outputs[slot]).dtype))
        return false;
    }
    results = *std::move(made);
    return true;
  }

  void emit() {
    Patch patch{.pass = "fold_constants",
                .label = fmt::format("{} constant nodes", folded_.size()),
                .safety = Safety::exact,
                .same_bits = true,
                .edits = {},
                .origins = {}};
    const std::set<NodeId> gone(folded_.begin(), folded_.end());
    for (const NodeId id : folded_) {
      const Node& node = model_.node(id);
      patch.edits.emplace_back(edit::DropNode{id});
      for (const ValueId output : node.outputs) {
        if (output == ValueId::none || !read_by_others(output, gone)) continue;
        const Value& value = model_.value(output);
        patch.edits.emplace_back(
            edit::AddTensor{node.scope, std::string(value.name), TensorSource::owned(known_.at(output))});
      }
    }
    // Constants that only folded nodes read.
    for (const Value& value : model_.values()) {
      if (!value.alive || value.uses.empty() || value.output || value.input || model_.constant(value.id) == nullptr)
        continue;
      if (gone.contains(value.producer) || read_by_others(value.id, gone)) continue;
      if (value.initializer) {
        patch.edits.emplace_back(edit::DropTensor{value.id});
      } else {
        patch.edits.emplace_back(edit::DropNode{value.producer});
      }
    }
    out_.patches.push_back(std::move(patch));
  }

  bool read_by_others(ValueId id, const std::set<NodeId>& gone) const {
    for (const Use& use : model_.value(id).uses) {
      if (use.node == NodeId::none || !gone.contains(use.node)) return true;
    }
    return false;
  }

  const PassInput& input_;
  const Model& model_;
  std::map<ValueId, Tensor> known_;
  std::vector<NodeId> folded_;
  PassOutput out_;
};

Result<PassOutput> plan(const PassInput& input) { return Folder(input).run(); }

}  // namespace
}  // namespace aegis

using namespace aegis;

AEGIS_PASS(fold_constants) = {.name = "fold_constants", .safety = Safety::exact, .plan = plan};
