#include "model/versions.hpp"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include "model/state.hpp"

namespace aegis {

void look_at_versions(Model::State& state) {
  const auto newer = [&](std::string what, std::int64_t found, std::int64_t known) {
    state.findings.push_back(
        Error{.fault = Fault::file,
              .code = "IO909",
              .message = fmt::format("uses {} {}, this aegis knows up to {}; what is new there is not judged, use a "
                                     "newer aegis or export for an older version",
                                     what, found, known),
              .where = state.path});
  };
  const auto& model = *state.proto;
  if (model.ir_version() > onnx::Version::IR_VERSION)
    newer("IR version", model.ir_version(), onnx::Version::IR_VERSION);
  const auto& released = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  for (const auto& import : model.opset_import()) {
    const auto range = released.find(import.domain() == "ai.onnx" ? "" : import.domain());
    if (range != released.end() && import.version() > range->second.second)
      newer(fmt::format("{} opset", import.domain().empty() ? "ai.onnx" : import.domain()), import.version(),
            range->second.second);
  }
}

}  // namespace aegis
