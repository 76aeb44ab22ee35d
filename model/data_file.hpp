// A data file beside a model. Its name holds a hash of its bytes, so that a new one never takes the place of one that
// another model file refers to, and that the same weights make the same name.
#pragma once

#include <string>
#include <string_view>

#include "model/placement.hpp"
#include "model/result.hpp"
#include "model/staged_file.hpp"

namespace aegis {

// "<stem>.<16 hexadecimal digits>.data"
std::string data_file_name(std::string_view stem, std::uint64_t hash);
bool is_data_file_name(std::string_view name, std::string_view stem);

// Writes what lies outside, in its order and with zeros between; returns the hash of all bytes.
Result<std::uint64_t> write_data(StagedFile& staged, const Placement& placement);

}  // namespace aegis
