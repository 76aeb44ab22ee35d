// Lowering: one node with known shapes becomes a Program of primitives. A lowering function (Op::lower) asks the node's
// attributes, types and constant inputs here and emits calls; it never sees data that is not small and asked for.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/attribute.hpp"
#include "model/model.hpp"
#include "ops/op.hpp"
#include "ops/prim.hpp"
#include "ops/type.hpp"

namespace aegis {

using Dims = std::vector<std::int64_t>;

struct Slot {
  DType type = DType::undefined;
  Dims dims;
  bool known = true;  // false: the primitive that fills it decides the extents
};

struct Program {
  std::deque<Slot> slots;  // the node's input slots, its output slots, temporaries; a reference to one stays good
  std::size_t inputs = 0, outputs = 0;
  std::vector<std::pair<SlotId, Tensor>> constants;  // slots that hold data the lowering made
  std::vector<PrimCall> calls;
};

// What came of a lowering.
struct Lowered {
  enum class State : std::uint8_t {
    ready,
    needs_values,  // extents or the value of an input are not known yet: lower again when the inputs are there
    unsupported,
  } state = State::ready;
  Program program;
  std::string reason;             // for unsupported
  std::uint64_t values_read = 0;  // bit i: the program depends on the value of input i (slots past 63 share bit 63)
};

class Lowering {
 public:
  // `values` holds a tensor for each input whose bytes are known, else null; all spans run over the node's slots.
  Lowering(const Node& node, std::int64_t opset, std::span<const ValueType> inputs, std::span<const ValueType> outputs,
           std::span<const Tensor* const> values);

  const Node& node() const { return node_; }
  std::int64_t opset() const { return opset_; }

  std::size_t inputs() const { return result_.program.inputs; }
  std::size_t outputs() const { return result_.program.outputs; }
  bool has(std::size_t input) const;  // the optional input is given
  bool has_output(std::size_t output) const;
  SlotId in(std::size_t input) const;  // no_slot when absent
  SlotId out(std::size_t output = 0) const;
  DType type(SlotId slot) const { return slot_at(slot).type; }
  const Dims& dims(SlotId slot) const { return slot_at(slot).dims; }
  int rank(SlotId slot) const { return static_cast<int>(dims(slot).size()); }
  std::int64_t elements(SlotId slot) const { return element_count(dims(slot)); }

  // The value of an input; nullopt when it is not known (the node is then lowered again at run time) or absent.
  std::optional<std::vector<std::int64_t>> integers(std::size_t input);
  std::optional<std::vector<double>> numbers(std::size_t input);
  // An axis in 0..rank-1 from one that may count from the end; out of range rejects and gives 0.
  int axis(std::int64_t given, int rank);

  SlotId temp(DType type, Dims dims);
  SlotId constant(Tensor tensor);              // a slot that holds this data
  SlotId scalar(DType type, double value);     // rank 0
  SlotId iota(std::int64_t first, Dims dims);  // INT64: first, first + 1, ...
  SlotId view(SlotId in, Dims dims);           // the same elements under another shape
  void alias(SlotId in, SlotId out);
  void map(Fn fn, std::initializer_list<SlotId> in, SlotId out, std::array<double, 4> p = {});
  void emit(PrimParams params, std::initializer_list<SlotId> in, std::initializer_list<SlotId> out);
  // Strided copies by name.
  void fill(SlotId scalar, SlotId out);  // every element
  void transpose(SlotId in, SlotId out, std::span<const std::int64_t> permutation);
  void place(SlotId in, SlotId out, std::span<const std::int64_t> at);  // a block at an offset of out
  // out[i] = in[start + i * step] by axis; a step of 0 repeats.
  void take(SlotId in, SlotId out, std::span<const std::int64_t> start, std::span<const std::int64_t> step);
  void expand(SlotId in, SlotId out);  // broadcast from the right

  // Gives an output its type and extents where the schema's inference left them open.
  void resolve(SlotId out, DType type, Dims dims);
  void reject(std::string reason);  // the node cannot run; the first reason stays
  bool failed() const { return result_.state != Lowered::State::ready; }

  Lowered finish() && { return std::move(result_); }

 private:
  const Slot& slot_at(SlotId slot) const;
  const Tensor* value_of(std::size_t input);

  const Node& node_;
  std::int64_t opset_;
  std::span<const Tensor* const> values_;
  Lowered result_;
};

// Lowers a node. Errors are states of the result, never a wrong program.
Lowered lower(const Node& node, std::int64_t opset, std::span<const ValueType> inputs,
              std::span<const ValueType> outputs, std::span<const Tensor* const> values);

// Row-major strides, in elements.
Dims strides(std::span<const std::int64_t> dims);

// Operators that are one element function of one or of two inputs.
template <Fn fn>
void lower_unary(Lowering& l) {
  l.map(fn, {l.in(0)}, l.out());
}
void lower_binary(Lowering& l, Fn fn);  // with the `axis` broadcasting of opsets before 7
template <Fn fn>
void lower_binary(Lowering& l) {
  lower_binary(l, fn);
}
// One function folded over any number of inputs, rounded once at the end.
void lower_variadic(Lowering& l, Fn fn, bool mean = false);
template <Fn fn>
void lower_variadic(Lowering& l) {
  lower_variadic(l, fn);
}
// The input under the output's shape.
inline void lower_alias(Lowering& l) { l.alias(l.in(0), l.out()); }

}  // namespace aegis
