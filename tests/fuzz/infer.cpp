// Any model that loads may be handed to inference: a node that makes no sense fails alone. ONNX's own functions run
// here, with whatever a file says.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "model/load.hpp"
#include "ops/infer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = aegis::load_bytes(std::string(data, data + size), "fuzz.onnx");
  if (!model) return 0;
  const auto types = aegis::infer(*model, aegis::Binding{});
  if (types.types.size() != model->values().size()) std::abort();
  return 0;
}
