#include "cli/onnx_info.hpp"

#include <fmt/format.h>
#include <onnx/common/version.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include "cli/help.hpp"
#include "cli/report.hpp"
#include "cli/term.hpp"
#include "linter/rules.hpp"
#include "validator/engines/ort/library.hpp"

namespace aegis {

std::string version_text() {
  const auto& ranges = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  std::string formats;
  for (const ReportFormat* format : report_formats()) formats += fmt::format(" {}", format->name);
  std::string text = fmt::format("aegis {}\n", AEGIS_VERSION);
  text += fmt::format("onnx: library {}, opset up to {}, IR version up to {}\n", onnx::LAST_RELEASE_VERSION,
                      ranges.at("").second, static_cast<int>(onnx::Version::IR_VERSION));
  const Result<std::string> library = ort::find_library("");
  text += fmt::format("engines: cpu; ort {}\n",
                      library ? "by " + printable(*library) : "when ONNX Runtime is installed: not found");
  text += fmt::format("rules: {}\n", rules().size());
  text += fmt::format("formats:{}\n", formats);
  return text;
}

std::string producer_of(const Model& model) {
  std::string producer = model.proto().producer_name();
  if (!model.proto().producer_version().empty()) producer += " " + model.proto().producer_version();
  return producer;
}

}  // namespace aegis
