#include "validator/inputs/input_spec.hpp"

#include <fmt/format.h>

namespace aegis {

Result<std::vector<InputSpec>> input_specs(const Model& model, const TypeTable& types) {
  std::vector<InputSpec> specs;
  const auto& inputs = model.main().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Value& value = model.value(inputs[i]);
    const ValueType& type = types.of(value.id);
    InputSpec spec{.name = std::string(value.name),
                   .id = value.id,
                   .position = i,
                   .dtype = type.dtype,
                   .dims = type.dims,
                   .required = !value.initializer};
    if (spec.required && (!type.tensor() || bits(type.dtype) == 0))
      return Error{
          .fault = Fault::validation,
          .code = {},
          .message = fmt::format("input '{}' is {}, expected a tensor of numbers or booleans; models with other "
                                 "inputs are not run",
                                 spec.name, type.tensor() ? "text or of unknown type" : "no tensor"),
          .where = model.path(),
          .notes = {}};
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::string dims_text(const std::optional<std::vector<Dim>>& dims, std::span<const Symbol> symbols) {
  if (!dims) return "of any rank";
  if (dims->empty()) return "scalar";
  std::string text;
  for (const Dim& dim : *dims) {
    if (!text.empty()) text += 'x';
    if (dim.known())
      text += fmt::format("{}", dim.extent);
    else if (dim.kind == Dim::Kind::symbol && dim.symbol < symbols.size())
      text += symbols[dim.symbol].name;
    else
      text += '?';
  }
  return text;
}

}  // namespace aegis
