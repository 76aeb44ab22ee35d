// The head of the model, then a table of its layers by time, equal ones in one row.
#include "cli/inspect_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/document.hpp"
#include "cli/finding_text.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

constexpr std::size_t max_rows = 40;

double or_zero(const Json& value) { return value.is_number() ? value.get<double>() : 0; }

std::string value_text(const Json& value) {
  std::string shape;
  if (value["shape"].is_array())
    for (const Json& dim : value["shape"])
      shape += fmt::format("{}{}", shape.empty() ? "" : "x",
                           dim.is_number()   ? dim.dump()
                           : dim.is_string() ? text_of(dim)
                                             : std::string("?"));
  return fmt::format("{} {}[{}]", text_of(value["name"]), value["dtype"].is_null() ? "?" : text_of(value["dtype"]),
                     value["shape"].is_null() ? "?" : shape);
}

struct Row {
  std::vector<std::string> names;
  const Json* first = nullptr;
  double time = 0, flops = 0, bytes = 0, percent = 0;
};

std::vector<Row> rows_of(const Json& layers) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> of_group;
  for (const Json& layer : layers) {
    if (layer["bound"] == "free") continue;
    const std::string key = layer["group"].is_null() ? fmt::format("#{}", rows.size()) : layer["group"].dump();
    auto [at, fresh] = of_group.emplace(key, rows.size());
    if (fresh) rows.push_back(Row{.names = {}, .first = &layer});
    Row& row = rows[at->second];
    row.names.push_back(layer["node"]);
    row.time += or_zero(layer["time_us"]);
    row.flops += or_zero(layer["flops"]);
    row.bytes += or_zero(layer["bytes"]);
    row.percent += or_zero(layer["percent"]);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time > b.time; });
  return rows;
}

std::string shortened(std::string text, std::size_t width) {
  if (width_of(text) <= width) return text;
  return "..." + text.substr(text.size() - std::min(text.size(), width - 3));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = width_of(text);
  const std::string space(have < width ? width - have : 0, ' ');
  return right ? space + text : text + space;
}

void table_text(const Json& document, const TextStyle& style, std::ostream& out) {
  const std::vector<Row> rows = rows_of(document["layers"]);
  std::vector<std::vector<std::string>> cells = {
      {"node", "op", "M x N x K", "FLOPs", "bytes", "FLOP/B", "bound", "time", "%"}};
  for (const Row& row : rows) {
    if (cells.size() > max_rows) break;
    const Json& layer = *row.first;
    const bool product = !layer["m"].is_null() || !layer["n"].is_null() || !layer["k"].is_null();
    const auto extent = [&](const char* key) { return layer[key].is_null() ? std::string("?") : layer[key].dump(); };
    std::string node = shortened(printable(common_name(row.names)), 40);
    if (row.names.size() > 1) node += fmt::format(" ({})", row.names.size());
    const bool known = !layer["flops"].is_null();
    cells.push_back(
        {node, text_of(layer["op"]), product ? fmt::format("{} x {} x {}", extent("m"), extent("n"), extent("k")) : "",
         known ? with_prefix(row.flops, "") : "?", known ? with_prefix(row.bytes, "B") : "?",
         layer["intensity"].is_number() ? short_number(layer["intensity"].get<double>()) : "", text_of(layer["bound"]),
         known ? as_time(row.time) : "?", layer["percent"].is_number() ? short_number(row.percent) : ""});
  }
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (const auto& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  for (std::size_t r = 0; r < cells.size(); ++r) {
    std::string text;
    for (std::size_t i = 0; i < cells[r].size(); ++i) text += "  " + padded(cells[r][i], widths[i], i > 1 && i != 6);
    text.erase(text.find_last_not_of(' ') + 1);
    out << (r == 0 ? paint(style, Paint::bold, text) : text) << '\n';
  }
  if (rows.size() > max_rows)
    out << fmt::format("  ... and {} more; --format json has all of them\n", rows.size() - max_rows);
}

}  // namespace

void inspect_text(const Json& document, const TextStyle& style, std::ostream& out) {
  const Json& graph = document["graph"];
  out << paint(style, Paint::bold, printable(document["path"].get_ref<const std::string&>()))
      << fmt::format(", judged for {}\n", text_of(document["target"]));
  out << fmt::format("  opset {}, IR {}{}\n", graph["opset"].dump(), graph["ir"].dump(),
                     graph["producer"].is_null() ? "" : ", made by " + text_of(graph["producer"]));
  for (const char* side : {"inputs", "outputs"})
    for (const Json& value : graph[side])
      out << fmt::format("  {} {}\n", std::string_view(side) == "inputs" ? "in " : "out", value_text(value));
  for (const auto& [symbol, numbers] : graph["symbols"].items())
    if (!numbers["assumed"].is_null())
      out << fmt::format("  {} = {} (assumed; --bind {}=N)\n", printable(symbol), numbers["assumed"].dump(),
                         printable(symbol));
    else if (numbers["bound"].is_null())
      out << fmt::format("  {} is unbound: what depends on it is unknown (--bind {}=N)\n", printable(symbol),
                         printable(symbol));
  const Json& total = document["total"];
  if (total["flops"].is_number())
    out << fmt::format("  {}, {} moved when fused, {} op by op; estimated {} to {}\n",
                       with_prefix(or_zero(total["flops"]), "FLOP"), with_prefix(or_zero(total["bytes"]), "B"),
                       with_prefix(or_zero(total["bytes_op_by_op"]), "B"), as_time(or_zero(total["time_us"])),
                       as_time(or_zero(total["time_us_op_by_op"])));
  if (or_zero(total["unknown_nodes"]) > 0)
    out << fmt::format("  {} nodes have no known cost and are in no sum\n", total["unknown_nodes"].dump());
  out << '\n';
  table_text(document, style, out);
}

}  // namespace aegis
