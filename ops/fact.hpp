// Fact: the maker of one fact or query. One fact, one file in ops/facts; a generated table lists them. A maker gives a
// struct of the SDK from the table's arena, or null with the reason.
#pragma once

#include <span>
#include <string_view>

#include "ops/facts.hpp"

namespace aegis {

struct Fact {
  std::string_view id;
  const void* (*of_node)(FactTable&, NodeId, aegis_absence&) = nullptr;
  const void* (*of_value)(FactTable&, ValueId, aegis_absence&) = nullptr;
  const void* (*of_group)(FactTable&, GroupId, aegis_absence&) = nullptr;
  const void* (*of_scope)(FactTable&, ScopeId, aegis_absence&) = nullptr;
  const void* (*of_model)(FactTable&, aegis_absence&) = nullptr;
  std::string_view query_id = {};  // of the query that belongs to the fact; in and out as its id says
  aegis_status (*query)(FactTable&, const void* in, void* out) = nullptr;
};

std::span<const Fact* const> fact_registry();

}  // namespace aegis

// Defines the one Fact of a file in ops/facts; the generated table refers to it by the file's stem.
#define AEGIS_FACT(stem)                        \
  extern const ::aegis::Fact aegis_fact_##stem; \
  constinit const ::aegis::Fact aegis_fact_##stem
