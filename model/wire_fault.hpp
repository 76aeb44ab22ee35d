// What is wrong with bytes that do not parse, in words: an offset and the path of the field, by ONNX's own descriptors.
// Slow and thorough; only called for files that are refused.
#pragma once

#include <cstdint>
#include <string>

#include "model/file.hpp"
#include "model/limits.hpp"
#include "model/result.hpp"

namespace aegis {

// IO903 for the first thing in the file that protobuf cannot read, or IO904 where messages are nested too deep.
Error wire_fault(const File& file, const Limits& limits);

// IO903 for the field that begins at `offset` and has another type on the wire than ONNX gives it.
Error wrong_type(const File& file, std::uint64_t offset);

// "graph.node[17].attribute[2].t": the innermost field whose bytes hold `offset`; "the file" when there is none.
std::string wire_path(const File& file, std::uint64_t offset);

}  // namespace aegis
