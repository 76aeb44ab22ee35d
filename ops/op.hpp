// Op: what an operator means to Aegis beyond its ONNX schema. One operator, one file in ops/std; a generated table
// (ops/op_table.hpp) lists them. Everything here is data or a plain function; no ONNX header.
#pragma once

#include <cstdint>
#include <string_view>

namespace aegis {

class Lowering;  // ops/lower.hpp: what a lowering reads and emits

// How the cost model counts an operator (ops/cost).
enum class CostClass : std::uint8_t {
  unknown,      // no cost: the node leaves every sum
  gemm,         // MatMul, Gemm, Einsum: through fact gemm
  conv,         // Conv, ConvTranspose: through fact conv
  elementwise,  // flops per output element; moves inputs and output
  reduction,    // flops per input element
  normalise,    // softmax, layer norm: flops per element, reads and writes once
  pool,         // window size per output element
  movement,     // no flops; bytes read and written
  take,         // no flops; reads only what it writes (Gather, Slice)
  view,         // no kernel, no bytes
  control,      // If, Loop, Scan: the bodies
  host,         // shape arithmetic that runs on the host: Shape, Size, Constant
};

struct CostRow {
  CostClass kind = CostClass::unknown;
  double flops = 0;  // per element, as the class says
};

// What happens to padding lanes (rewriter/padding/rows).
enum class PadRow : std::uint8_t {
  unknown,      // no row: the planner refuses with unknown_op
  elementwise,  // lane by lane with broadcasting; the lane constant is found by evaluating the op
  matmul,
  gemm,
  conv,
  conv_transpose,
  batch_norm,     // channel axis 1 with its parameters
  spatial,        // axes 0 and 1 pass; the others mix (pools, Resize, global pools)
  instance_norm,  // as spatial, with scale and bias along axis 1
  softmax,        // mixes the lanes of `axis`, passes the others
  layer_norm,     // mixes the lanes from `axis` on
  group_norm,
  reduce_sum,    // sum type: ZERO is enough; attribute or input axes
  reduce_other,  // mean, max, min, prod, argmax: breaks on its axes
  transpose,
  reshape,
  flatten,
  squeeze,
  unsqueeze,
  concat,
  split,
  slice,
  gather,
  expand,
  tile,
  pad,
  depth_to_space,
  einsum,
  rnn,
  attention,
  lrn,
  cumsum,
  topk,
  quantize,
  constant,  // makes a value from attributes alone
  barrier,   // Shape, NonZero, sequences, control flow: the extent is read or the lanes are lost
};

// What narrowing an operator puts at risk: how a recast and the rules of family precision look at it.
enum class Risk : std::uint8_t {
  none,
  move,
  map,
  gemm,
  accum,
  square,
  norm,
  softmax,
  range,
  coord,
  position,
  order,
  spectral,
  quant,
  random,
  rnn,
  control,
  cast,
  loss,
  fixed,
  ml,
};

struct Op {
  std::string_view name;
  std::string_view domain = "";
  CostRow cost;
  PadRow pad = PadRow::unknown;
  Risk risk = Risk::none;
  // Turns one node with known shapes into primitives; null: only inference and cost are known.
  void (*lower)(Lowering&) = nullptr;
};

// The row of an operator, or null.
const Op* find_op(std::string_view domain, std::string_view name);

}  // namespace aegis

// Defines the one Op of a file in ops/std; the generated table refers to it by the file's stem.
#define AEGIS_OP(stem)                      \
  extern const ::aegis::Op aegis_op_##stem; \
  constinit const ::aegis::Op aegis_op_##stem
