// NodeWork: FLOPs and bytes of one run of one node, by the class of its operator. What is unknown is said so; it is
// never zero.
#pragma once

#include "ops/cost/as.hpp"
#include "ops/facts.hpp"

namespace aegis {

struct NodeWork {
  aegis_absence why = AEGIS_PRESENT;  // not PRESENT: no figure below holds
  ValueId waits = ValueId::none;      // with UNKNOWN_DIM: the value whose extent is missing
  bool kernel = false;                // launches something on the device
  bool product = false;               // GEMM, convolution, RNN or attention
  Compute compute = 0;
  double flops = 0;
  double bytes = 0;         // least bytes: every operand once
  double extra_bytes = 0;   // what regime op moves on top inside one operator (recurrent weights, attention scores)
  double weight_bytes = 0;  // part of `bytes` read from constants
  double e_align = 1, e_quant = 1;

  bool known() const { return why == AEGIS_PRESENT; }
};

NodeWork node_work(FactTable& table, NodeId node, Retype retype = {});
// Bytes that a node reads from one of its inputs: less than the whole for Gather and Slice; 0 for parameters.
double read_bytes(FactTable& table, const Node& node, std::size_t slot, Retype retype = {});

// e_align of a GEMM or convolution in a type, from the dims that lie contiguous; 1 where nothing is asked for.
double align_efficiency(FactTable& table, NodeId node, Compute compute, bool pessimistic = false);

}  // namespace aegis
