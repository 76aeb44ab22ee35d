#include "validator/interface.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aegis {
namespace {

Error mismatch(std::string message) {
  return Error{.fault = Fault::validation, .code = {}, .message = std::move(message), .where = {}, .notes = {}};
}

Result<Tensor> retype(const Tensor& tensor, DType type) {
  if (tensor.type == type) return tensor;
  AEGIS_TRY(const std::vector<double> values, to_doubles(tensor));
  return from_doubles(type, tensor.dims, values);
}

}  // namespace

Result<Interface> match_interface(const Model& before, const Model& after, std::span<const InputSpec> specs_before,
                                  std::span<const InputSpec> specs_after) {
  const std::size_t outputs_before = before.main().outputs.size(), outputs_after = after.main().outputs.size();
  if (outputs_before != outputs_after)
    return mismatch(
        fmt::format("before has {} outputs, after has {}; only models with the same outputs can be compared",
                    outputs_before, outputs_after));
  Interface interface;
  for (const InputSpec& wanted : specs_after) {
    auto at = std::ranges::find(specs_before, wanted.name, &InputSpec::name);
    if (at == specs_before.end() && wanted.position < specs_before.size() && specs_before.size() == specs_after.size())
      at = specs_before.begin() + static_cast<std::ptrdiff_t>(wanted.position);
    if (at == specs_before.end()) {
      if (!wanted.required) continue;
      return mismatch(fmt::format(
          "after has an input '{}' that before lacks; only models with the same inputs can be compared", wanted.name));
    }
    if (at->dtype != wanted.dtype && !(is_float(at->dtype) && is_float(wanted.dtype)))
      return mismatch(fmt::format("input '{}' is {} before and {} after; only float types may change", wanted.name,
                                  name(at->dtype), name(wanted.dtype)));
    interface.inputs.push_back(
        {.before = at->name, .after = wanted.name, .before_type = at->dtype, .after_type = wanted.dtype});
  }
  for (const InputSpec& given : specs_before)
    if (given.required &&
        std::ranges::find(interface.inputs, given.name, &Interface::Input::before) == interface.inputs.end())
      return mismatch(fmt::format(
          "before has an input '{}' that after lacks; only models with the same inputs can be compared", given.name));
  return interface;
}

Result<PairedFeeds> pair_feeds(const Feeds& feeds, const Interface& interface) {
  PairedFeeds paired;
  for (const Interface::Input& input : interface.inputs) {
    const auto at = feeds.find(input.before);
    if (at == feeds.end()) continue;
    AEGIS_TRY(Tensor for_after, retype(at->second, input.after_type));
    AEGIS_TRY(Tensor for_before, retype(for_after, input.before_type));
    paired.before.emplace(input.before, std::move(for_before));
    paired.after.emplace(input.after, std::move(for_after));
  }
  return paired;
}

}  // namespace aegis
