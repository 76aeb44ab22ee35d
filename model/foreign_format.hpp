// The names of formats that are taken for ONNX by mistake.
#pragma once

#include <string_view>

namespace aegis {

// What bytes that are no ONNX model are, and what to do, judged by the beginning of the file; empty when they tell
// nothing. Only for files that do not load: an ONNX file may begin with the same bytes.
std::string_view foreign_format(std::string_view head);

}  // namespace aegis
