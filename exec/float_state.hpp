// The floating-point unit as the numerics want it: subnormals are kept, rounding is to nearest even. A host program may
// have set it otherwise in this thread; it gets its setting back.
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace aegis {

class StrictFloats {
 public:
  StrictFloats(const StrictFloats&) = delete;
  StrictFloats& operator=(const StrictFloats&) = delete;
#ifdef __x86_64__
  // All exceptions masked, everything else at its reset value.
  StrictFloats() : before_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~StrictFloats() { _mm_setcsr(before_); }

 private:
  unsigned before_;
#else
  StrictFloats() = default;
#endif
};

}  // namespace aegis
