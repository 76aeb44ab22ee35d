// The last look at a model file before it gets its name.
#pragma once

#include <vector>

#include "model/file.hpp"
#include "model/result.hpp"
#include "model/wire.hpp"

namespace aegis {

// Walks the written file as a loader would: its bytes outside payloads are those of `rope`, and every payload stands
// where `rope` put it. Payloads themselves are not read. Errors: it cannot be read back, or (internal) reads back as
// something else.
Result<void> verify(const File& written, const Rope& rope, const std::vector<TensorSource>& payloads);

}  // namespace aegis
