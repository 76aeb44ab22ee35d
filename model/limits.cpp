#include "model/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aegis {
namespace {

constexpr LimitRow rows[] = {
    {"wire_depth", &Limits::wire_depth, "messages inside messages"},
    {"skeleton_bytes", &Limits::skeleton_bytes, "bytes beside the weights"},
    {"nodes", &Limits::nodes, "nodes"},
    {"tensors", &Limits::tensors, "tensors"},
    {"functions", &Limits::functions, "functions"},
    {"function_call_depth", &Limits::function_call_depth, "functions that call one another"},
    {"subgraph_depth", &Limits::subgraph_depth, "subgraphs inside subgraphs"},
    {"name_bytes", &Limits::name_bytes, "bytes in one name"},
};

}  // namespace

std::span<const LimitRow> limit_rows() { return rows; }

Error limit_reached(const Limits& limits, std::uint64_t Limits::* which, std::uint64_t found, std::string where) {
  const LimitRow& row = *std::ranges::find(rows, which, &LimitRow::value);
  return Error{.fault = Fault::file,
               .code = "IO904",
               .message = fmt::format("reaches the limit {}: at least {} {}, allowed are {}; raise the limit if you "
                                      "trust the file",
                                      row.name, found, row.what, limits.*which),
               .where = std::move(where)};
}

}  // namespace aegis
