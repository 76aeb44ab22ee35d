// GemmShape: the matrix product inside a node, whatever operator writes it.
#pragma once

#include <optional>
#include <string_view>

#include "ops/facts.hpp"

namespace aegis {

// One or several axes of a value that act as one extent of a product.
struct Extent {
  Dim dim = Dim::of(1);
  ValueId value = ValueId::none;
  int axis = -1;  // -1: a product of several axes, or none
};

struct GemmShape {
  Extent m, n, k, batch;
  ValueId a = ValueId::none, b = ValueId::none, c = ValueId::none, y = ValueId::none;
  bool trans_a = false, trans_b = false, repeated_label = false;
  bool m_contiguous = false, n_contiguous = false, k_contiguous = false;
  NodeId transpose = NodeId::none;     // a Transpose of the last two axes that folds into an operand
  DType quantised = DType::undefined;  // the type that both operands are dequantised from, or multiplied in
  std::int64_t block = 0;              // elements of a quantisation block
};

// Nullopt when the node is no product of two operands with known ranks.
std::optional<GemmShape> gemm_shape(const FactTable& table, NodeId node);
bool is_gemm(const Node& node);

// The product of extents: its number, or unknown with all that it depends on.
Dim product(std::span<const Dim> dims);
Dim times(const Dim& a, const Dim& b);
// Does this Transpose swap the last two axes and nothing else?
bool swaps_last_two(const FactTable& table, const Node& node);
// The type that a value is dequantised from; undefined when no DequantizeLinear makes it.
DType dequantised_from(const FactTable& table, ValueId value);

}  // namespace aegis
