// The primitives that engines implement, as plain data. A lowering (ops/std) turns a node with known shapes into
// PrimCalls; an engine needs to know nothing else about operators. No pointers, no names: a call can be compared,
// printed and cached.
//
// Operands are slots of a Program (ops/lower.hpp): the node's inputs, its outputs, then temporaries. All tensors are
// dense and row-major. Values are loaded, widened to the compute type, and rounded once when a slot is stored; a
// temporary between two primitives therefore has the compute type (f32 for f16 and bf16), never the narrow one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/dtype.hpp"

namespace aegis {

inline constexpr int max_rank = 12;
using Extents = std::array<std::int64_t, max_rank>;

using SlotId = std::int32_t;  // index into Program::slots
inline constexpr SlotId no_slot = -1;

// The type in which a primitive calculates: f32 for f32, f16, bf16 and 8-bit floats; f64; integers modulo 2^64.
enum class Compute : std::uint8_t { f32, f64, i64, u64 };
Compute compute_type(DType type);  // booleans count as integers
DType storage_type(Compute type);  // the type of a temporary that holds compute values

// Element functions of `map`. Arity and meaning: exec/kernels/functors.hpp.
// clang-format off: it never settles on a list of this shape
#define AEGIS_MAP_FUNCTIONS(X) \
  X(identity) X(add) X(sub) X(mul) X(div) X(pow) X(max) X(min) X(mod) X(fmod) X(abs) X(neg) X(sign) X(relu) \
  X(clip) X(prelu) X(mul_add) X(divide_by) X(where) X(equal) X(greater) X(less) X(greater_equal) X(less_equal) \
  X(logical_and) X(logical_or) X(logical_xor) X(logical_not) X(bit_and) X(bit_or) X(bit_xor) X(bit_not) \
  X(shift_left) X(shift_right) X(sqrt) X(reciprocal) X(exp) X(log) X(erf) X(sin) X(cos) X(tan) X(asin) X(acos) \
  X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(floor) X(ceil) X(round) X(leaky_relu) X(elu) \
  X(selu) X(celu) X(sigmoid) X(hard_sigmoid) X(hard_swish) X(softplus) X(softsign) X(gelu) X(gelu_tanh) X(mish) \
  X(swish) X(thresholded_relu) X(shrink) X(is_nan) X(is_inf) X(batch_norm) X(quantize) X(dequantize)
// clang-format on

enum class Fn : std::uint8_t {
#define AEGIS_FN(name) name,
  AEGIS_MAP_FUNCTIONS(AEGIS_FN)
#undef AEGIS_FN
};
std::string_view name(Fn fn);

// out and in hold the same elements in the same order under another shape; no bytes move.
struct AliasParams {
  friend bool operator==(const AliasParams&, const AliasParams&) = default;
};

// out[i] = fn(in0[i], in1[i], ...), inputs broadcast to the output's shape from the right.
struct MapParams {
  Fn fn = Fn::identity;
  Compute compute = Compute::f32;
  std::array<double, 4> p{};  // the function's constants
  friend bool operator==(const MapParams&, const MapParams&) = default;
};

// out[out_offset + i . out_stride] = in[in_offset + i . in_stride] for every i below extent; strides in elements.
// Several calls may fill parts of one slot.
struct CopyParams {
  int rank = 0;
  Extents extent{}, in_stride{}, out_stride{};
  std::int64_t in_offset = 0, out_offset = 0;
  friend bool operator==(const CopyParams&, const CopyParams&) = default;
};

// in: data, indices. Indices below zero count from the end; an index out of range is an error of the run.
struct GatherParams {
  enum class Mode : std::uint8_t { take, elements, nd } mode = Mode::take;
  int axis = 0;  // nd: the number of leading batch axes
  friend bool operator==(const GatherParams&, const GatherParams&) = default;
};

// in: data, indices, updates; applied to a copy of data in index order.
struct ScatterParams {
  enum class Mode : std::uint8_t { elements, nd } mode = Mode::elements;
  enum class Combine : std::uint8_t { none, add, mul, max, min } combine = Combine::none;
  int axis = 0;
  friend bool operator==(const ScatterParams&, const ScatterParams&) = default;
};

struct ReduceParams {
  enum class Kind : std::uint8_t {
    sum,
    mean,
    max,
    min,
    prod,
    l1,
    l2,
    sum_square,
    log_sum,
    log_sum_exp,
    argmax,
    argmin
  } kind = Kind::sum;
  std::uint32_t axes = 0;    // bit per axis of the input
  bool select_last = false;  // argmax, argmin: the last of equal elements
  friend bool operator==(const ReduceParams&, const ReduceParams&) = default;
};

// The input seen as [outer, length, inner]; each of the outer * inner rows of `length` elements is normalised.
struct RowNormParams {
  enum class Kind : std::uint8_t { softmax, log_softmax, hardmax, layer, rms, lp } kind = Kind::softmax;
  std::int64_t outer = 1, length = 1, inner = 1;
  // layer, rms: in[1] is the scale, in[2] the bias, each of `channels` elements; further outputs are the mean and one
  // over the deviation of each row. Element e of row r takes channel (r * rows_to_channel + e / per_channel) %
  // channels: along the row (LayerNormalization: 0, 1), by row (InstanceNormalization: 1, length) or by group
  // (GroupNormalization: channels of a group, spatial size).
  std::int64_t channels = 1, rows_to_channel = 0, per_channel = 1;
  double epsilon = 0;
  int p = 2;  // lp
  friend bool operator==(const RowNormParams&, const RowNormParams&) = default;
};

// Running sum along an axis.
struct ScanParams {
  int axis = 0;
  bool exclusive = false, reverse = false;
  friend bool operator==(const ScanParams&, const ScanParams&) = default;
};

// The k extreme elements along an axis; out: values, indices; k is the output's extent. Equal elements keep their
// order.
struct SortParams {
  int axis = 0;
  bool largest = true;
  friend bool operator==(const SortParams&, const SortParams&) = default;
};

// out[b, i, j] = alpha * sum over ascending k of A[b, i, k] * B[b, k, j], then + beta * in[2] (bias). trans: the
// operand is stored with its last two axes swapped. Batch strides are in elements, 0 broadcasts; out is dense over the
// batch.
struct GemmParams {
  std::int64_t m = 0, n = 0, k = 0;
  bool trans_a = false, trans_b = false;
  double alpha = 1, beta = 1;
  std::int64_t bias_row_stride = 0, bias_column_stride = 0;  // in elements; 0 broadcasts
  int batch_rank = 0;
  Extents batch{}, a_stride{}, b_stride{};
  friend bool operator==(const GemmParams&, const GemmParams&) = default;
};

// in: x [batch, channels, in...], w, bias (or none). w is [filters, channels/groups, kernel...]; transposed:
// [channels, filters/groups, kernel...].
struct ConvParams {
  bool transposed = false;
  int spatial = 2;  // 1 to 3
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  std::array<std::int64_t, 3> in{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, pad{}, out{1, 1, 1};
  friend bool operator==(const ConvParams&, const ConvParams&) = default;
};

// out: values, and for max optionally indices into the flattened input.
struct PoolParams {
  enum class Kind : std::uint8_t { max, average, lp } kind = Kind::max;
  int spatial = 2;
  std::int64_t planes = 1;  // batch * channels
  std::array<std::int64_t, 3> in{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, pad{}, pad_end{},
      out{1, 1, 1};
  bool include_pad = false;   // average: padding counts in the divisor
  bool column_major = false;  // max: order of the indices
  int p = 2;                  // lp
  friend bool operator==(const PoolParams&, const PoolParams&) = default;
};

// Whatever has no parallel form; the output's extents may depend on the values.
struct HostParams {
  enum class What : std::uint8_t { non_zero, compress } what = What::non_zero;
  std::int64_t axis = 0;
  friend bool operator==(const HostParams&, const HostParams&) = default;
};

using PrimParams = std::variant<AliasParams, MapParams, CopyParams, GatherParams, ScatterParams, ReduceParams,
                                RowNormParams, ScanParams, SortParams, GemmParams, ConvParams, PoolParams, HostParams>;

struct PrimCall {
  PrimParams params;
  std::vector<SlotId> in, out;  // no_slot where an optional operand is absent
  friend bool operator==(const PrimCall&, const PrimCall&) = default;
};

// "gemm(0, 1, 2) -> 3 m=4 n=10 k=64": one line, the same for equal calls.
std::string print(const PrimCall& call);
std::size_t hash(const PrimCall& call);

}  // namespace aegis
