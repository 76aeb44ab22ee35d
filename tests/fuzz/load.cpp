// Any bytes may be handed to the loader. It answers with a model or with an error that has words; it never crashes,
// and what it loads it can write and load again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/load.hpp"
#include "model/save.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto model = aegis::load_bytes(std::string(data, data + size), "fuzz.onnx");
  if (!model) {
    require(!model.error().message.empty());
    return 0;
  }
  auto bytes = aegis::serialise(*model);
  if (!bytes) return 0;
  const auto again = aegis::load_bytes(*std::move(bytes), "again.onnx");
  require(bool(again));
  require(again->nodes().size() == model->nodes().size());
  return 0;
}
