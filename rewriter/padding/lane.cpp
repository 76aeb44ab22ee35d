#include "rewriter/padding/lane.hpp"

#include <cmath>
#include <limits>

namespace aegis::padding {

Lane Lane::of(DType type, double number) { return computed(from_doubles(type, {1}, {&number, 1})); }
Lane Lane::data() { return {.kind = Kind::data, .value = {}}; }
Lane Lane::nonfinite() { return {.kind = Kind::nonfinite, .value = {}}; }

Lane Lane::computed(Tensor value) {
  Lane lane{.kind = Kind::constant, .value = std::move(value)};
  if (lane.value.elements() != 1 || !std::isfinite(lane.number())) return nonfinite();
  return lane;
}

double Lane::number() const {
  if (!constant()) return std::numeric_limits<double>::quiet_NaN();
  const Result<std::vector<double>> numbers = to_doubles(value);
  return numbers && numbers->size() == 1 ? (*numbers)[0] : std::numeric_limits<double>::quiet_NaN();
}

Lane either(const Lane& a, const Lane& b) {
  Lane lane;
  if (!a.finite() || !b.finite()) {
    lane = Lane::nonfinite();
  } else if (a.constant() && b.constant() && a.number() == b.number()) {
    lane = a;
  } else {
    lane = Lane::data();
  }
  lane.masked = a.masked || b.masked;
  return lane;
}

}  // namespace aegis::padding
