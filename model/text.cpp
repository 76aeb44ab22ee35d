#include <fmt/format.h>
#include <onnx/defs/parser.h>
#include <onnx/defs/printer.h>

#include "model/load.hpp"
#include "model/state.hpp"

namespace aegis {

Result<Model> parse_text(std::string_view text) {
  std::string full(text);
  const auto first = full.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || full[first] != '<') full = "<ir_version: 10, opset_import: [\"\" : 21]>\n" + full;
  auto proto = std::make_unique<onnx::ModelProto>();
  const auto status = onnx::OnnxParser::Parse(*proto, full.c_str());
  if (!status.IsOK())
    return Error{.fault = Fault::file,
                 .code = "IO903",
                 .message = fmt::format("is not valid ONNX text: {}", status.ErrorMessage())};
  auto state = std::make_shared<Model::State>();
  state->proto = std::move(proto);
  state->edited = true;  // there is no file that holds these bytes
  AEGIS_CHECK(build_index(*state, IdHints{}));
  return Model(std::move(state));
}

std::string print_text(const Model& model) { return onnx::ProtoToString(model.proto()); }

}  // namespace aegis
