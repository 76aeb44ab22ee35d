// The one place that opens a model or a data file for reading; a test looks for any other. Every descriptor is opened
// without blocking and checked by its holder (File::adopt): a pipe or a device is never read.
#pragma once

#include <string>
#include <string_view>

#include "model/external_policy.hpp"
#include "model/result.hpp"

namespace aegis {

// A file that the user named; links are followed. -1: errno says why.
int open_file(const std::string& path);

// The file that the model at `model` names as the place of its weights, relative to the model's own folder. Returns a
// descriptor. Errors: IO905 for what the policy refuses, opening nothing; IO906 for what is not there.
Result<int> open_beside(const std::string& model, const std::string& location, ExternalPolicy policy);

// The file at `path` below `folder`; no link is followed and nothing outside can be meant. -1: errno says why.
int open_below(const std::string& folder, const std::string& path);

// A new, empty file without a name, to write and read, in $TMPDIR or /tmp; gone when it is closed. -1: errno says why.
int open_nameless();

// The path of the file that a model names, for messages and for what stands beside it.
std::string path_beside(std::string_view model, std::string_view location);

}  // namespace aegis
