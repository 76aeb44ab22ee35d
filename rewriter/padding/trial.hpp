// Trial: one assumption about which classes are padded, by which maps, with which constants in the bias lanes. Rows
// walk their nodes through it and say what the padding lanes of the outputs hold, or why the class must stay as it is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ops/evaluator.hpp"
#include "rewriter/padding/class_graph.hpp"
#include "rewriter/padding/lane.hpp"

namespace aegis::padding {

using UseKey = std::pair<NodeId, std::uint32_t>;

// What the planner has settled so far.
struct Settled {
  std::map<Point, LaneMap> maps;   // by class; no entry: not padded
  std::map<Point, Lane> lanes;     // by point of a value that a node makes
  std::map<UseKey, double> fills;  // by use of a constant
  bool same_bits = true;
};

struct Reason {
  NodeId node = NodeId::none;
  std::string word, detail;
};

// The constant that the padding lanes of a bias take.
enum class BiasFill : std::uint8_t { zero, one, lowest };

class Trial {
 public:
  Trial(const ClassGraph& graph, const Evaluator* evaluator, DType compute, const Settled& settled)
      : graph_(&graph), evaluator_(evaluator), compute_(compute), base_(&settled) {}

  const ClassGraph& graph() const { return *graph_; }
  const Model& model() const { return graph_->model(); }
  Settled& changes() { return changes_; }
  void assume(BiasFill all, std::map<UseKey, BiasFill> single) {
    bias_ = all;
    single_ = std::move(single);
  }
  // Uses that asked for a bias fill and may take another.
  const std::vector<UseKey>& biases() const { return biases_; }
  const std::optional<Reason>& refusal() const { return refusal_; }

  bool padded(Point point) const { return point != no_point && map(point) != nullptr; }
  const LaneMap* map(Point point) const;  // null: not padded

  // The lane of an input axis that is padded. A constant's lane is its fill, zero when nothing else was said.
  Lane lane(const Node& node, std::size_t slot, int axis);
  void set(const Node& node, std::size_t output, int axis, Lane lane);
  // Chooses the fill of a constant input; what an earlier class settled stays. No effect on other inputs.
  void fill(const Node& node, std::size_t slot, double number);
  void fill_bias(const Node& node, std::size_t slot);
  void refuse(const Node& node, std::string_view word, std::string detail);
  void rescaled() { changes_.same_bits = false; }

  // The node on one-element inputs (null: absent), as its first output's lane.
  Lane evaluate(const Node& node, std::span<const Tensor* const> inputs);
  // An input's only element, in its own type and shape, when it is stored, known to inference, or computed from such.
  std::optional<Tensor> scalar(const Node& node, std::size_t slot) const;
  DType type_of(const Node& node, std::size_t slot) const;
  DType output_type(const Node& node, std::size_t slot) const;

 private:
  std::optional<Tensor> folded(ValueId value, int depth) const;

  const ClassGraph* graph_;
  const Evaluator* evaluator_;
  DType compute_;
  const Settled* base_;
  Settled changes_;
  BiasFill bias_ = BiasFill::zero;
  std::map<UseKey, BiasFill> single_;
  std::vector<UseKey> biases_;
  std::optional<Reason> refusal_;
};

// The lowest number that stays finite in `type` and in what it may be recast to.
double lowest(DType type, DType compute);

}  // namespace aegis::padding
