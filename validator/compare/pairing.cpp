#include "validator/compare/pairing.hpp"

#include "validator/compare/crop.hpp"

namespace aegis {

Pairing::Pairing(const Model& before, const Model& after) : before_(before), after_(after) {
  for (const Value& value : before.values())
    if (value.alive) by_name_.emplace(std::pair(before.scope(value.scope).path, std::string(value.name)), value.id);
  for (const auto& [id, origin] : after.origins()) padding_ = padding_ || !origin.axes.empty();
}

Pair Pairing::of(ValueId id) const {
  Pair pair;
  const auto& origins = after_.origins();
  const ValueId asked = id;
  // A cast of a padded value leads to the padded one, and that to the value that the file had.
  for (int step = 0; step < 16; ++step) {
    const auto at = origins.find(id);
    if (at == origins.end()) break;
    pair.axes.insert(pair.axes.end(), at->second.axes.begin(), at->second.axes.end());
    if (at->second.from == id || at->second.from == ValueId::none) break;
    id = at->second.from;
  }
  const auto alive = [&](ValueId candidate) {
    return index(candidate) < before_.values().size() && before_.value(candidate).alive;
  };
  if (id != asked && alive(id)) {
    pair.before = id;
    return pair;
  }
  const Value& value = after_.value(asked);
  const auto at = by_name_.find({after_.scope(value.scope).path, std::string(value.name)});
  if (at != by_name_.end()) pair.before = at->second;
  return pair;
}

Result<Tensor> counterpart(const Tensor& after, const std::vector<std::int64_t>& dims,
                           const std::vector<Origin::Axis>& axes) {
  if (after.dims == dims || axes.empty()) return after;
  return crop(after, axes);
}

}  // namespace aegis
