// Reading a promise off two models: which types their values have.
#include <array>

#include "model/save.hpp"
#include "validator/validate.hpp"

namespace aegis {
namespace {

std::array<std::size_t, 32> count_types(const Model& model) {
  const TypeTable types = infer(model, Binding{});
  std::array<std::size_t, 32> count{};
  for (const Value& value : model.values())
    if (value.alive) ++count[static_cast<std::size_t>(types.of(value.id).dtype) % count.size()];
  return count;
}

// An edited model differs from the file it came from, so that only files of one size need to be read.
bool equal(const Model& before, const Model& after) {
  if (&before.proto() == &after.proto()) return true;
  const bool made = before.path().empty() && after.path().empty();
  if (!made && (before.edited() || after.edited() || before.file_bytes() != after.file_bytes())) return false;
  const auto a = serialise(before), b = serialise(after);
  return a && b && *a == *b;
}

}  // namespace

ChangeClass infer_change(const Model& before, const Model& after) {
  if (equal(before, after)) return ChangeClass::exact;
  const auto old_types = count_types(before), new_types = count_types(after);
  const auto changed = [&](DType type) {
    return old_types[static_cast<std::size_t>(type)] != new_types[static_cast<std::size_t>(type)];
  };
  if (changed(DType::bf16)) return ChangeClass::bf16;
  if (changed(DType::f16)) return ChangeClass::f16;
  return ChangeClass::close;
}

}  // namespace aegis
