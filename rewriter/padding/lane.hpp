// What is known of the padding lanes of one axis of one value: ZERO < FINITE (a constant, or data that real lanes
// brought in by broadcasting) < MAYBE_NONFINITE.
#pragma once

#include "model/tensor.hpp"

namespace aegis::padding {

struct Lane {
  enum class Kind : std::uint8_t { constant, data, nonfinite } kind = Kind::nonfinite;
  Tensor value;         // of a constant: one element of the value's own type
  bool masked = false;  // a mask may have reached the real lanes, so no constant is surely below all of them

  static Lane of(DType type, double number);
  static Lane data();
  static Lane nonfinite();
  // The lane of a value that an engine computed: its bits, or nonfinite when it is not a number that `widest` holds.
  static Lane computed(Tensor value);

  bool constant() const { return kind == Kind::constant; }
  bool finite() const { return kind != Kind::nonfinite; }
  double number() const;  // of a constant
  bool zero() const { return constant() && number() == 0; }
};

// Both may stand in the padding lanes.
Lane either(const Lane& a, const Lane& b);

}  // namespace aegis::padding
