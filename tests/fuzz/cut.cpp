// For any bytes, the walk that cuts payloads out says the same as protobuf's own parser: it refuses what protobuf
// refuses, and what it lets through is, with the payloads back in place, the same message. Next to nothing is kept
// inline, so that small inputs reach every place.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/unit/model/wire_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  for (const aegis::Keep& keep : {aegis::Keep{}, aegis::Keep{.integers = 2, .others = 2, .texts = 2}}) {
    const std::string difference = aegis::test::same_as_protobuf(bytes, keep);
    if (difference.empty()) continue;
    std::fprintf(stderr, "%s\n", difference.c_str());
    std::abort();
  }
  return 0;
}
