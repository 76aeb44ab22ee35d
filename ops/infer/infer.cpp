// The type table of a model: one walk at the numbers that a caller gives or Aegis assumes, and one more for each
// symbol with that symbol changed. ONNX's functions turn arithmetic on symbols into fresh unknowns, so an expression
// cannot be followed; that an extent moves when a symbol moves can be seen.
#include "ops/infer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "ops/infer/proto_type.hpp"
#include "ops/infer/walk.hpp"

namespace aegis {
namespace {

using inference::Numbers;
using inference::Walk;

constexpr std::uint32_t perturbed_symbols = 8;  // symbols past the eighth are not followed

Dim no_symbol(const std::string&) { return Dim{}; }

struct OpenExtent {
  std::string name;
  bool batch = false;
};

// The first axis of an input, or an extent named like a batch, is assumed to be 1.
bool batch_like(std::string_view name, int axis) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return axis == 0 || lower == "n" || lower == "b" || lower.find("batch") != std::string::npos;
}

std::vector<OpenExtent> open_extents(const Model& model, const Binding& binding) {
  std::vector<OpenExtent> out;
  for (const ValueId id : model.main().inputs) {
    const Value& input = model.value(id);
    if (input.declared == nullptr || !input.declared->has_tensor_type() || model.constant(id) != nullptr) continue;
    if (binding.shapes.contains(std::string(input.name))) continue;
    const auto& shape = input.declared->tensor_type().shape();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      if (!inference::open_extent(shape.dim(axis))) continue;
      const std::string name = inference::symbol_name(input, axis, shape.dim(axis));
      if (std::none_of(out.begin(), out.end(), [&](const OpenExtent& e) { return e.name == name; }))
        out.push_back({.name = name, .batch = batch_like(name, axis)});
    }
  }
  return out;
}

// A walk and the numbers that it reads.
struct Walked {
  Walked(const Model& model, const Binding& binding, Numbers given)
      : numbers(std::move(given)), walk(model, binding, numbers) {
    walk.run();
  }
  Numbers numbers;
  Walk walk;
};

// The walk with numbers for unbound symbols: batch 1, all others the first size for which the fewest nodes refuse.
std::unique_ptr<Walked> assume(const Model& model, const Binding& binding, const std::vector<OpenExtent>& open) {
  constexpr std::int64_t sizes[] = {64, 32, 128, 224, 16, 256, 8, 512};
  std::unique_ptr<Walked> best;
  for (const std::int64_t size : sizes) {
    Numbers numbers = binding.symbols;
    bool free = false;
    for (const OpenExtent& e : open) {
      if (numbers.contains(e.name)) continue;
      numbers[e.name] = e.batch ? 1 : size;
      free = free || !e.batch;
    }
    auto walked = std::make_unique<Walked>(model, binding, std::move(numbers));
    if (!best || walked->walk.failures.size() < best->walk.failures.size()) best = std::move(walked);
    if (best->walk.failures.empty() || !free) break;
  }
  return best;
}

std::vector<Symbol> symbols(const std::vector<OpenExtent>& open, const Binding& binding, const Numbers& numbers) {
  std::vector<Symbol> out;
  for (const OpenExtent& e : open) {
    Symbol symbol{.name = e.name};
    if (const auto it = binding.symbols.find(e.name); it != binding.symbols.end())
      symbol.bound = it->second;
    else if (const auto assumed = numbers.find(e.name); assumed != numbers.end())
      symbol.assumed = assumed->second;
    out.push_back(std::move(symbol));
  }
  return out;
}

void read_types(const Walk& walk, TypeTable& table) {
  const auto symbol_of = [&](const std::string& name) {
    for (std::uint32_t i = 0; i < table.symbols.size(); ++i)
      if (table.symbols[i].name == name)
        return Dim{.symbol = i, .kind = Dim::Kind::symbol, .depends = std::uint64_t{1} << std::min(i, 63u)};
    return Dim{};
  };
  const std::size_t n = walk.types.size();
  table.types.resize(n);
  table.known.resize(n);
  table.has_known.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (walk.types[i]) table.types[i] = inference::from_proto(*walk.types[i], symbol_of);
    if (!walk.elements[i]) continue;
    const auto& dims = walk.elements[i]->dim();
    table.has_known[i] = std::all_of(dims.begin(), dims.end(), [](const auto& d) { return d.has_dim_value(); });
    if (table.has_known[i])
      for (const auto& d : dims) table.known[i].push_back(d.dim_value());
  }
}

// Marks the extents that are another number when one symbol is.
void mark_dependence(const Walk& moved, std::uint64_t bit, bool assumed, TypeTable& table) {
  for (std::size_t i = 0; i < table.types.size(); ++i) {
    if (!table.types[i].dims || !moved.types[i]) continue;
    const auto other = inference::from_proto(*moved.types[i], no_symbol);
    if (!other.dims || other.dims->size() != table.types[i].dims->size()) continue;
    for (std::size_t d = 0; d < other.dims->size(); ++d) {
      Dim& dim = (*table.types[i].dims)[d];
      if (!dim.known() || (*other.dims)[d].value() == dim.value()) continue;
      dim.depends |= bit;
      if (dim.origin != Dim::Origin::assumed) dim.origin = assumed ? Dim::Origin::assumed : Dim::Origin::bound;
    }
  }
}

}  // namespace

TypeTable infer(const Model& model, const Binding& binding) {
  const auto open = open_extents(model, binding);
  const std::unique_ptr<Walked> walked =
      binding.assume ? assume(model, binding, open) : std::make_unique<Walked>(model, binding, binding.symbols);
  const Numbers& numbers = walked->numbers;
  Walk& walk = walked->walk;

  TypeTable table;
  table.symbols = symbols(open, binding, numbers);
  read_types(walk, table);
  for (std::uint32_t i = 0; i < table.symbols.size() && i < perturbed_symbols; ++i) {
    const Symbol& symbol = table.symbols[i];
    const auto at = symbol.bound ? symbol.bound : symbol.assumed;
    if (!at) continue;
    Numbers other = numbers;
    other[symbol.name] = *at * 2;
    const Walked moved(model, binding, std::move(other));
    mark_dependence(moved.walk, std::uint64_t{1} << i, symbol.assumed.has_value(), table);
  }
  table.failures = std::move(walk.failures);
  table.without_schema = std::move(walk.without_schema);
  table.nodes_inferred = walk.inferred;
  return table;
}

Result<std::vector<ValueType>> infer_node(const Model& model, const Node& node, std::span<const ValueType> inputs,
                                          std::span<const Tensor* const> constants) {
  std::vector<onnx::TypeProto> types;
  std::vector<std::unique_ptr<onnx::TensorProto>> data;
  types.reserve(inputs.size());
  inference::NodeInputs in;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    types.push_back(inference::to_proto(inputs[i]));
    in.types.push_back(inputs[i].kind == ValueType::Kind::unknown ? nullptr : &types.back());
    const Tensor* known = i < constants.size() ? constants[i] : nullptr;
    if (known != nullptr) data.push_back(std::make_unique<onnx::TensorProto>(inference::to_proto(*known)));
    in.data.push_back(known != nullptr ? data.back().get() : nullptr);
    in.shape.push_back(nullptr);
  }
  google::protobuf::Arena arena;
  inference::NodeContext context(*node.proto, std::move(in), nullptr, {}, arena);
  const auto opset = static_cast<int>(model.opset(node.domain));
  const auto* schema = inference::schema_of(std::string(node.op), std::string(node.domain), opset);
  const auto outcome = inference::infer_one(schema, *node.proto, opset, context, nullptr);
  if (!outcome.has_schema)
    return Error{
        .fault = Fault::file,
        .code = "ST515",
        .message = fmt::format("operator {} has no schema in domain '{}' at opset {}; import an opset that has it",
                               node.op, node.domain, opset),
        .where = label(model, node.id)};
  if (outcome.failure)
    return Error{
        .fault = Fault::file, .code = "ST515", .message = outcome.failure->message, .where = label(model, node.id)};
  std::vector<ValueType> out;
  for (const auto* type : context.outputs()) out.push_back(inference::from_proto(*type, no_symbol));
  return out;
}

}  // namespace aegis
