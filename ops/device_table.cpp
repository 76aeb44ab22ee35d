// Reads the device table: TOML to Targets, with the units of the file turned into those of Target.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "ops/target.hpp"

namespace aegis {

extern const std::string_view devices_toml;

namespace {

Error bad(std::string_view where, std::string message) {
  return {.fault = Fault::usage, .code = {}, .message = std::move(message), .where = std::string(where), .notes = {}};
}

aegis_confidence confidence(std::string_view word) {
  if (word == "high") return AEGIS_CONFIDENCE_HIGH;
  if (word == "medium") return AEGIS_CONFIDENCE_MEDIUM;
  if (word == "low") return AEGIS_CONFIDENCE_LOW;
  return AEGIS_CONFIDENCE_NONE;
}

double number(const toml::table& table, std::string_view key, double otherwise = 0) {
  return table[key].value<double>().value_or(otherwise);
}

// A default of the time model: { value = 0.80, confidence = "medium" }.
double setting(const toml::table& model, std::string_view key, double otherwise) {
  return model[key]["value"].value<double>().value_or(otherwise);
}

// "8.9" -> 89, "12.0" -> 120.
int capability(std::string_view text) {
  const auto dot = text.find('.');
  if (dot == std::string_view::npos) return 0;
  const int major = std::atoi(std::string(text.substr(0, dot)).c_str());
  return major * 10 + std::atoi(std::string(text.substr(dot + 1)).c_str());
}

void read_rates(const toml::table& row, double gemm_ceiling, Target& target) {
  const auto* tflops = row["tflops"].as_table();
  if (!tflops) return;
  const auto row_confidence = row["confidence"]["row"].value<std::string_view>().value_or("");
  for (const auto& [key, value] : *tflops) {
    const auto compute = compute_from_name(key.str());
    const auto peak = value.value<double>();
    if (!compute || !peak || *peak <= 0) continue;
    const auto measured = row["measured"][key.str()].value<double>();
    const auto own = row["confidence"][fmt::format("tflops.{}", key.str())].value<std::string_view>();
    target.rates.push_back({.compute = *compute,
                            .tflops = *peak,
                            .ceiling = measured ? *measured / *peak : gemm_ceiling,
                            .ridge = row["ridge"][key.str()].value<double>().value_or(*peak * 1000 / target.mem_bw_gbs),
                            .measured = measured.has_value(),
                            .confidence = confidence(own.value_or(row_confidence))});
  }
}

Result<Target> read_device(const toml::table& row, const toml::table& model, std::string_view where) {
  Target t;
  t.id = row["id"].value<std::string>().value_or("");
  if (t.id.empty()) return bad(where, "a [[device]] has no id, expected a name such as \"a100_sxm_80\": add one");
  t.arch = row["arch"].value<std::string>().value_or("");
  if (const auto* names = row["names"].as_array())
    for (const auto& name : *names) t.names.push_back(name.value<std::string>().value_or(""));
  t.cc = capability(row["compute_capability"].value<std::string_view>().value_or(""));
  t.sm_count = row["sm_count"].value<int>().value_or(0);
  t.mem_bw_gbs = number(row, "mem_bw_gbs");
  if (t.cc <= 0 || t.sm_count <= 0 || !(t.mem_bw_gbs > 0)) {
    return bad(where, fmt::format("device {} lacks compute_capability (\"8.0\"), sm_count or mem_bw_gbs, expected all "
                                  "three above 0: fill them in",
                                  t.id));
  }
  t.l2_bytes = number(row, "l2_mib") * 1024 * 1024;
  t.mem_bytes = number(row, "mem_gb") * 1e9;
  t.fast_path_bytes = setting(model, "fast_path_bytes", 16);
  t.best_bytes = t.cc < 80 ? setting(model, "best_bytes_before_cc_8_0", 16) : setting(model, "best_bytes", 128);
  t.blocks_per_sm = static_cast<int>(setting(model, "blocks_per_sm", 1));
  t.bandwidth_fraction = setting(model, "bandwidth_fraction", 1);
  t.launch_us_stream = setting(model, "launch_us_stream", 0);
  t.launch_us_graph = setting(model, "launch_us_graph", 0);
  t.host_link_gbs = setting(model, "host_link_gbs", 0);
  t.host_sync_us = setting(model, "host_sync_us", 0);
  if (const auto* tiles = model["tiles"]["value"].as_array()) {
    for (const auto& tile : *tiles) {
      const auto* pair = tile.as_array();
      if (pair && pair->size() == 2)
        t.tiles.push_back({(*pair)[0].value<std::int64_t>().value_or(0), (*pair)[1].value<std::int64_t>().value_or(0)});
    }
  }
  std::erase_if(t.tiles, [](const Tile& tile) { return tile.m <= 0 || tile.n <= 0; });
  read_rates(row, setting(model, "gemm_ceiling", 1), t);
  return t;
}

std::string normal(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::array<std::size_t, 3>> rows(b.size() + 1);  // the last three rows, by i % 3
  for (std::size_t j = 0; j <= b.size(); ++j) rows[j][0] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t now = i % 3, last = (i + 2) % 3, before = (i + 1) % 3;
    rows[0][now] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = rows[j - 1][last] + (a[i - 1] == b[j - 1] ? 0 : 1);
      rows[j][now] = std::min({rows[j][last] + 1, rows[j - 1][now] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        rows[j][now] = std::min(rows[j][now], rows[j - 2][before] + 1);
    }
  }
  return rows[b.size()][a.size() % 3];
}

}  // namespace

Result<DeviceTable> DeviceTable::read(std::string_view text, std::string_view where) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& e) {
    return bad(where, fmt::format("line {}: {}, expected a device table in TOML: correct the line",
                                  e.source().begin.line, e.description()));
  }
  if (const auto schema = root["schema"].value<int>().value_or(0); schema != 1)
    return bad(where,
               fmt::format("device table of schema {}, expected schema = 1: use a table of this version", schema));
  const toml::table none;
  const auto* model = root["model"].as_table();
  DeviceTable table;
  if (const auto* rows = root["device"].as_array()) {
    for (const auto& row : *rows) {
      if (!row.is_table()) continue;
      AEGIS_TRY(auto device, read_device(*row.as_table(), model ? *model : none, where));
      table.devices_.push_back(std::move(device));
    }
  }
  if (table.devices_.empty())
    return bad(where, "device table without any [[device]], expected at least one: add the hardware to judge for");
  if (const auto* aliases = root["aliases"].as_table())
    for (const auto& [key, value] : *aliases)
      table.aliases_.emplace_back(std::string(key.str()), value.value<std::string>().value_or(""));
  return table;
}

const Result<DeviceTable>& DeviceTable::builtin() {
  static const Result<DeviceTable> table = read(devices_toml, "the built-in device table");
  return table;
}

Result<Target> DeviceTable::find(std::string_view name) const {
  std::string wanted = normal(name);
  for (const auto& [alias, id] : aliases_)
    if (alias == wanted) wanted = id;
  std::string_view nearest;
  std::size_t best = 1 + wanted.size() / 2;
  for (const auto& device : devices_) {
    if (device.id == wanted) return device;
    if (const auto d = distance(wanted, device.id); d < best) best = d, nearest = device.id;
  }
  for (const auto& alias : aliases_)
    if (const auto d = distance(wanted, alias.first); d < best) best = d, nearest = alias.first;
  std::string known;
  for (const auto& device : devices_) known += (known.empty() ? "" : " ") + device.id;
  const auto advice = nearest.empty() ? std::string("choose one") : fmt::format("did you mean {}", nearest);
  return bad("--target", fmt::format("unknown target '{}', expected one of {}: {}", name, known, advice));
}

const Target* DeviceTable::by_device_name(std::string_view name, int sm_count) const {
  for (const auto& device : devices_)
    if (device.sm_count == sm_count && std::find(device.names.begin(), device.names.end(), name) != device.names.end())
      return &device;
  return nullptr;
}

}  // namespace aegis
