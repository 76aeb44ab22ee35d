#include "ops/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ops/infer.hpp"

namespace aegis {

static constexpr std::int64_t longest_iota = 1 << 27;  // 1 GiB of numbers
namespace {

constexpr std::uint64_t input_bit(std::size_t input) { return std::uint64_t{1} << (input < 63 ? input : 63); }

bool asks_about_inputs(Fn fn) {
  switch (fn) {
    case Fn::equal:
    case Fn::greater:
    case Fn::less:
    case Fn::greater_equal:
    case Fn::less_equal:
    case Fn::is_nan:
    case Fn::is_inf:
    case Fn::identity: return true;
    default: return false;
  }
}

}  // namespace

Dims strides(std::span<const std::int64_t> dims) {
  Dims result(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) result[i - 1] = result[i] * dims[i];
  return result;
}

Lowering::Lowering(const Node& node, std::int64_t opset, std::span<const ValueType> inputs,
                   std::span<const ValueType> outputs, std::span<const Tensor* const> values)
    : node_(node), opset_(opset), values_(values) {
  Program& program = result_.program;
  program.inputs = inputs.size();
  program.outputs = outputs.size();
  const auto add = [&](const ValueType& type) {
    const auto shape = type.shape();
    program.slots.push_back({type.dtype, shape.value_or(Dims{}), shape.has_value()});
  };
  for (const ValueType& type : inputs) add(type);
  for (const ValueType& type : outputs) add(type);
}

bool Lowering::has(std::size_t input) const {
  return input < node_.inputs.size() && node_.inputs[input] != ValueId::none;
}
bool Lowering::has_output(std::size_t output) const {
  return output < node_.outputs.size() && node_.outputs[output] != ValueId::none;
}
SlotId Lowering::in(std::size_t input) const { return has(input) ? static_cast<SlotId>(input) : no_slot; }
SlotId Lowering::out(std::size_t output) const {
  return has_output(output) ? static_cast<SlotId>(inputs() + output) : no_slot;
}

// An absent operand reads as a scalar without type.
const Slot& Lowering::slot_at(SlotId slot) const {
  static const Slot absent{DType::undefined, {}, false};
  return slot == no_slot ? absent : result_.program.slots[static_cast<std::size_t>(slot)];
}

const Tensor* Lowering::value_of(std::size_t input) {
  if (!has(input)) return nullptr;
  result_.values_read |= input_bit(input);
  const Tensor* tensor = input < values_.size() ? values_[input] : nullptr;
  if (!tensor && !failed()) result_.state = Lowered::State::needs_values;
  return tensor;
}

std::optional<std::vector<std::int64_t>> Lowering::integers(std::size_t input) {
  const Tensor* tensor = value_of(input);
  if (!tensor) return std::nullopt;
  auto read = to_integers(*tensor);
  if (!read) {
    reject(fmt::format("input {} must hold integers", input));
    return std::nullopt;
  }
  return *std::move(read);
}

std::optional<std::vector<double>> Lowering::numbers(std::size_t input) {
  const Tensor* tensor = value_of(input);
  if (!tensor) return std::nullopt;
  auto read = to_doubles(*tensor);
  if (!read) {
    reject(fmt::format("input {} must hold numbers", input));
    return std::nullopt;
  }
  return *std::move(read);
}

int Lowering::axis(std::int64_t given, int rank) {
  if (given < -rank || given >= rank) {
    reject(fmt::format("axis {} is outside rank {}", given, rank));
    return 0;
  }
  return static_cast<int>(given < 0 ? given + rank : given);
}

SlotId Lowering::temp(DType type, Dims dims) {
  result_.program.slots.push_back({type, std::move(dims), true});
  return static_cast<SlotId>(result_.program.slots.size() - 1);
}

SlotId Lowering::constant(Tensor tensor) {
  const SlotId slot = temp(tensor.type, tensor.dims);
  result_.program.constants.emplace_back(slot, std::move(tensor));
  return slot;
}

SlotId Lowering::scalar(DType type, double value) { return constant(from_doubles(type, {}, {&value, 1})); }

SlotId Lowering::iota(std::int64_t first, Dims dims) {
  if (element_count(dims) > longest_iota) {
    reject(
        fmt::format("a sequence of {} numbers is longer than the {} that are made", element_count(dims), longest_iota));
    dims.assign(dims.size(), 0);
  }
  Dims values(static_cast<std::size_t>(element_count(dims)));
  std::iota(values.begin(), values.end(), first);
  return constant(from_integers(std::move(dims), values));
}

SlotId Lowering::view(SlotId in, Dims dims) {
  const SlotId slot = temp(type(in), std::move(dims));
  alias(in, slot);
  return slot;
}

void Lowering::alias(SlotId in, SlotId out) { emit(AliasParams{}, {in}, {out}); }

void Lowering::map(Fn fn, std::initializer_list<SlotId> in, SlotId out, std::array<double, 4> p) {
  const SlotId decides = asks_about_inputs(fn) ? *in.begin() : out;
  emit(MapParams{.fn = fn, .compute = compute_type(type(decides)), .p = p}, in, {out});
}

void Lowering::emit(PrimParams params, std::initializer_list<SlotId> in, std::initializer_list<SlotId> out) {
  result_.program.calls.push_back({std::move(params), in, out});
}

void Lowering::fill(SlotId scalar, SlotId out) {
  CopyParams copy{.rank = 1};
  copy.extent[0] = elements(out);
  copy.out_stride[0] = 1;
  emit(copy, {scalar}, {out});
}

void Lowering::transpose(SlotId in, SlotId out, std::span<const std::int64_t> permutation) {
  const Dims in_strides = strides(dims(in));
  CopyParams copy{.rank = rank(in)};
  if (copy.rank > max_rank) return reject("rank above 12");
  std::int64_t stride = 1;
  for (std::size_t i = permutation.size(); i-- > 0;) {
    const auto source = static_cast<std::size_t>(permutation[i]);
    copy.extent[i] = dims(in)[source];
    copy.in_stride[i] = in_strides[source];
    copy.out_stride[i] = stride;
    stride *= copy.extent[i];
  }
  emit(copy, {in}, {out});
}

void Lowering::place(SlotId in, SlotId out, std::span<const std::int64_t> at) {
  const Dims in_strides = strides(dims(in)), out_strides = strides(dims(out));
  CopyParams copy{.rank = rank(in)};
  if (copy.rank > max_rank) return reject("rank above 12");
  for (std::size_t i = 0; i < in_strides.size(); ++i) {
    copy.extent[i] = dims(in)[i];
    copy.in_stride[i] = in_strides[i];
    copy.out_stride[i] = out_strides[i];
    copy.out_offset += at[i] * out_strides[i];
  }
  emit(copy, {in}, {out});
}

void Lowering::take(SlotId in, SlotId out, std::span<const std::int64_t> start, std::span<const std::int64_t> step) {
  const Dims in_strides = strides(dims(in)), out_strides = strides(dims(out));
  CopyParams copy{.rank = rank(out)};
  if (copy.rank > max_rank) return reject("rank above 12");
  for (std::size_t i = 0; i < out_strides.size(); ++i) {
    copy.extent[i] = dims(out)[i];
    copy.in_stride[i] = in_strides[i] * step[i];
    copy.out_stride[i] = out_strides[i];
    copy.in_offset += start[i] * in_strides[i];
  }
  emit(copy, {in}, {out});
}

void Lowering::expand(SlotId in, SlotId out) {
  if (rank(in) > rank(out)) return reject("an operand has more axes than the result");
  Dims padded(dims(out).size(), 1);
  std::copy(dims(in).begin(), dims(in).end(), padded.end() - static_cast<std::ptrdiff_t>(dims(in).size()));
  const Dims zero(padded.size(), 0);
  Dims step(padded.size());
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (padded[i] != 1 && padded[i] != dims(out)[i]) return reject("an operand does not broadcast to the result");
    step[i] = padded[i] == 1 ? 0 : 1;
  }
  take(view(in, padded), out, zero, step);
}

void Lowering::resolve(SlotId out, DType type, Dims dims) {
  if (out == no_slot) return;
  Slot& slot = result_.program.slots[static_cast<std::size_t>(out)];
  if (slot.known) return;
  slot = {type, std::move(dims), true};
}

void Lowering::reject(std::string reason) {
  if (failed()) return;
  result_.state = Lowered::State::unsupported;
  result_.reason = std::move(reason);
}

Lowered lower(const Node& node, std::int64_t opset, std::span<const ValueType> inputs,
              std::span<const ValueType> outputs, std::span<const Tensor* const> values) {
  Lowered none;
  const Op* op = find_op(node.domain, node.op);
  if (!op || !op->lower) {
    none.state = Lowered::State::unsupported;
    none.reason = "the operator has no lowering";
    return none;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == ValueId::none) continue;
    if (inputs[i].kind != ValueType::Kind::tensor && inputs[i].kind != ValueType::Kind::unknown) {
      none.state = Lowered::State::unsupported;
      none.reason = "sequences, optionals, maps and sparse tensors are not handled";
      return none;
    }
    if (!inputs[i].shape()) {
      none.state = Lowered::State::needs_values;
      return none;
    }
  }
  // Extents that depend on a value: at run time every value is known, and only then may a primitive decide them.
  const auto unknown_output = [&](std::size_t i) { return node.outputs[i] != ValueId::none && !outputs[i].shape(); };
  const auto unknown_value = [&](std::size_t i) { return node.inputs[i] != ValueId::none && !values[i]; };
  bool extents_open = false, values_open = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) extents_open = extents_open || unknown_output(i);
  for (std::size_t i = 0; i < inputs.size(); ++i) values_open = values_open || unknown_value(i);
  // An operator without a schema has no inference but its lowering, which resolves its outputs itself.
  if (extents_open && values_open && since_version(node, opset) != 0) {
    none.state = Lowered::State::needs_values;
    return none;
  }
  Lowering lowering(node, opset, inputs, outputs, values);
  op->lower(lowering);
  Lowered result = std::move(lowering).finish();
  // The extents of an output may be left to a primitive only when all values are known.
  if (result.state == Lowered::State::ready && values_open)
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (node.outputs[i] != ValueId::none && !result.program.slots[result.program.inputs + i].known)
        result.state = Lowered::State::needs_values;
  return result;
}

}  // namespace aegis
