// Row: how one kind of operator behaves under padding, in three steps that the planner drives. `connect` says which
// axes belong together and which may never grow; `lanes` says what the padding lanes of the outputs hold once some axes
// are padded, or refuses; `edit` says which attributes and integer constants follow. One file per family in rows/.
#pragma once

#include "model/patch.hpp"
#include "ops/op.hpp"
#include "rewriter/padding/class_graph.hpp"
#include "rewriter/padding/trial.hpp"
#include "rewriter/pass.hpp"

namespace aegis::padding {

class Editor {
 public:
  virtual ~Editor() = default;
  virtual const ClassGraph& graph() const = 0;
  virtual const LaneMap* map(Point point) const = 0;  // null: not padded
  virtual void attribute(const Node& node, AttributeValue value) = 0;
  // The node reads these numbers in place of its integer input; shape and type of the input stay.
  virtual void integers(const Node& node, std::size_t slot, std::vector<std::int64_t> values) = 0;
  // The node's outputs become constants: the numbers that inference knows of the model as it is.
  virtual void fold(const Node& node) = 0;
  virtual void fail(const Node& node, std::string_view word, std::string detail) = 0;

  bool padded(Point point) const { return map(point) != nullptr; }
  std::int64_t extent(Point point) const { return padded(point) ? map(point)->total() : graph().extent(point); }
};

struct Row {
  void (*connect)(ClassGraph& graph, const Node& node, const PaddingOptions& options) = nullptr;
  void (*lanes)(Trial& trial, const Node& node) = nullptr;
  void (*edit)(Editor& editor, const Node& node) = nullptr;  // null: nothing follows
};

// The row of a node; null when the operator has none, or none for this form of it.
const Row* row_of(const Model& model, const Node& node);

namespace rows {
extern const Row elementwise, matmul, gemm, conv, conv_transpose, batch_norm, instance_norm, layer_norm, spatial,
    softmax, reduce, transpose, reshape, squeeze, unsqueeze, concat, split, slice, gather, expand, tile, pad,
    depth_to_space, einsum, constant, barrier, quantise, matmul_integer, recurrent, attention, neighbour, shape_reader;
}  // namespace rows

// Shared by rows.

// The numbers of an integer input, when the file fixes them all.
std::optional<std::vector<std::int64_t>> known_integers(const ClassGraph& graph, const Node& node, std::size_t slot);
// Attribute `name`, else input `slot`. `absent` tells that neither is there.
struct Integers {
  bool absent = false;
  std::optional<std::vector<std::int64_t>> values;  // nullopt and not absent: not known
};
Integers attribute_or_input(const ClassGraph& graph, const Node& node, std::string_view name, std::size_t slot);
// Axis in [0, rank), or -1.
int normal_axis(std::int64_t axis, int rank);
// Joins axis by axis; ranks must agree, else all axes are blocked.
void join_all(ClassGraph& graph, const Node& node, std::size_t input, std::size_t output);
// Lanes of every padded axis of every output: what stands in the padded input axes of the same class, or, where an edge
// derives one from the other, in all padded input axes.
void pass_lanes(Trial& trial, const Node& node);
// True when the padding lanes of `axis` are the last elements in the row-major order of the axes in `mixed`.
bool last_in_order(const Trial& trial, const Node& node, std::size_t slot, int axis, const std::vector<bool>& mixed);
// The constant is so low that no real lane is below it, and no mask reached the real lanes.
bool below_all(const Lane& lane);

}  // namespace aegis::padding
