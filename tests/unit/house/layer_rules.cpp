#include "tests/unit/house/layer_rules.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace aegis::house {
namespace {

// The window that rules and packs look through; it is written <aegis/...> and knows nothing of the house.
constexpr std::string_view sdk = "aegis";

struct Layer {
  std::string_view folder;
  std::array<std::string_view, 9> may_include;  // beside itself
};

// cli -> rewriter -> linter -> ops -> model -> sdk <- rules, packs;  cli -> validator -> exec -> ops;  rewriter -> exec
constexpr std::array<Layer, 10> layers{{
    {"plugins", {sdk}},
    {"model", {sdk}},
    {"ops", {sdk, "model"}},
    {"exec", {sdk, "model", "ops"}},
    {"linter", {sdk, "model", "ops"}},
    {"rules", {sdk}},
    {"rewriter", {sdk, "model", "ops", "exec", "linter"}},
    {"validator", {sdk, "model", "ops", "exec"}},
    {"cli", {sdk, "model", "ops", "exec", "linter", "rewriter", "validator"}},
    {"tests", {sdk, "model", "ops", "exec", "linter", "rewriter", "validator", "cli"}},
}};

// Costly headers (seconds a file) and where they may not appear.
struct Heavy {
  std::string_view prefix;
  std::string_view why;
};
constexpr std::array heavies{
    Heavy{"onnx/", "4 s a file: include it in a .cpp of model, ops, rewriter, validator or cli"},
    Heavy{"google/protobuf", "include it in a .cpp"},
    Heavy{"fmt/", "2.5 s a file: include it in a .cpp"},
    Heavy{"CLI/", "6 s a file: include it in one .cpp"},
    Heavy{"toml++/", "3 s a file: include it in a .cpp"},
    Heavy{"nlohmann/json.hpp", "3 s a file: include <nlohmann/json_fwd.hpp>"},
};
// The headers that exist to bring ONNX's in, for .cpp files and for each other.
constexpr std::array<std::string_view, 5> inner_headers{"model/state.hpp", "model/edit_proto.hpp",
                                                        "ops/infer/context.hpp", "ops/infer/proto_type.hpp",
                                                        "ops/infer/walk.hpp"};
constexpr std::array<std::string_view, 2> light_sources{"rules/",
                                                        "ops/std/"};  // .cpp files that stay as light as headers

bool is_header(std::string_view file) {
  return file.ends_with(".hpp") || file.ends_with(".h") || file.ends_with(".cuh");
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// The path between the quotes or angle brackets of an #include line; empty for any other line.
std::string_view included(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return {};
  line = trimmed(line.substr(1));
  if (!line.starts_with("include")) return {};
  line = trimmed(line.substr(7));
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return {};
  const auto end = line.find(line[0] == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1);
}

const Layer* layer(std::string_view folder) {
  const auto* found = std::ranges::find(layers, folder, &Layer::folder);
  return found == layers.end() ? nullptr : found;
}

std::string layer_message(std::string_view file, std::string_view path) {
  const auto from = folder_of(file), to = path.substr(0, path.find('/'));
  if (to == from || (layer(to) == nullptr && to != sdk)) return {};
  const auto* rule = layer(from);
  if (rule == nullptr || std::ranges::find(rule->may_include, to) != rule->may_include.end()) return {};
  std::string allowed;
  for (const auto name : rule->may_include) {
    if (!name.empty()) allowed.append(allowed.empty() ? "" : ", ").append(name);
  }
  return "includes " + std::string(path) + ", but " + std::string(from) + " may include only itself and " + allowed +
         ": move what is shared down, or hand it in through an interface";
}

bool inner(std::string_view file) { return std::ranges::find(inner_headers, file) != inner_headers.end(); }

std::string heavy_message(std::string_view file, std::string_view path) {
  const bool light = is_header(file) || std::ranges::any_of(light_sources, [&](auto p) { return file.starts_with(p); });
  if (!light || inner(file) || file.starts_with("tests/")) return {};
  for (const auto& heavy : heavies) {
    if (path.starts_with(heavy.prefix)) {
      return "includes <" + std::string(path) + ">, which is kept out of headers, rules and ops/std (" +
             std::string(heavy.why) + ")";
    }
  }
  if (inner(path)) return "includes " + std::string(path) + ", which brings ONNX's headers in: include it in a .cpp";
  return {};
}

}  // namespace

std::string_view folder_of(std::string_view file) {
  const auto folder = file.substr(0, file.find('/'));
  return folder != file && layer(folder) != nullptr ? folder : std::string_view{};
}

std::vector<Violation> check_includes(std::string_view file, std::string_view text) {
  std::vector<Violation> found;
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto path = included(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (path.empty()) continue;
    for (auto message : {layer_message(file, path), heavy_message(file, path)}) {
      if (!message.empty()) found.push_back({std::string(file), line, std::move(message)});
    }
  }
  return found;
}

}  // namespace aegis::house
