#include "cli/asked_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/asked.hpp"
#include "linter/match.hpp"
#include "ops/infer.hpp"

namespace aegis {
namespace {

Error unknown(std::string_view option, std::string_view word, std::string_view kind,
              const std::vector<std::string>& known) {
  const std::string there = known.empty() ? fmt::format("the model has no {}", kind)
                                          : fmt::format("the model has {}", fmt::join(known, ", "));
  return Error{.fault = Fault::usage,
               .message = fmt::format("--{} names `{}`, {}{}; give one of those, or leave it out", option, word, there,
                                      did_you_mean(word, known))};
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Result<void> check_shape(const Model& model, const TypeTable& types, const std::string& input,
                         const std::vector<std::int64_t>& shape) {
  const ValueType& declared = types.of(model.find(input));
  const auto wrong = [&](const std::string& why) {
    return Error{.fault = Fault::usage,
                 .message = fmt::format("--shapes gives `{}` the shape {}, {}", input, fmt::join(shape, "x"), why)};
  };
  if (!declared.ranked()) return {};
  if (declared.dims->size() != shape.size())
    return wrong(fmt::format("its rank is {}; give that many extents", declared.dims->size()));
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (const auto fixed = (*declared.dims)[i].value(); fixed && *fixed != shape[i])
      return wrong(fmt::format("its extent {} is {} in the model; give that", i, *fixed));
  return {};
}

}  // namespace

Result<void> check_asked_names(const Settings& settings, const Model& model) {
  AEGIS_TRY(const Binding asked, asked_binding(settings));
  if (!settings.list("bind").empty() || !settings.list("shapes").empty()) {
    const TypeTable types = infer(model, {});
    std::vector<std::string> symbols, inputs;
    for (const Symbol& symbol : types.symbols) symbols.push_back(symbol.name);
    for (const ValueId id : model.main().inputs) inputs.emplace_back(model.value(id).name);
    for (const std::string& word : settings.list("bind")) {
      const std::string name = word.substr(0, word.rfind('='));
      if (!has(symbols, name)) return unknown("bind", name, "open symbols", symbols);
    }
    for (const std::string& word : settings.list("shapes")) {
      const std::string name = word.substr(0, word.rfind(':'));
      if (!has(inputs, name)) return unknown("shapes", name, "inputs", inputs);
      AEGIS_CHECK(check_shape(model, types, name, asked.shapes.at(name)));
    }
  }
  if (!settings.list("range").empty()) {
    std::vector<std::string> inputs;
    for (const ValueId id : model.main().inputs) inputs.emplace_back(model.value(id).name);
    for (const std::string& word : settings.list("range")) {
      const std::string name = word.substr(0, word.rfind('='));
      if (std::ranges::none_of(inputs, [&](const std::string& input) { return glob_match(name, input); }))
        return unknown("range", name, "inputs", inputs);
    }
  }
  if (settings.from_file("keep")) return {};
  for (const std::string& glob : settings.list("keep")) {
    const auto matched = [&](const Node& node) { return node.alive && glob_match(glob, label(model, node.id)); };
    if (std::ranges::none_of(model.nodes(), matched))
      return Error{
          .fault = Fault::usage,
          .message = fmt::format("--keep is `{}`, which matches no node of the model; `aegis inspect` lists the "
                                 "names",
                                 glob)};
  }
  return {};
}

}  // namespace aegis
