// Where a file loads: proved by opening it in the runtimes that are installed, else read off the tables of kernels.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis {

// What a runtime said when it opened a model in a process of its own, which it may crash or hang without harm.
struct Opened {
  std::string version;  // "1.32.0"
  bool loads = false;
  std::string message;  // why it does not
};
// Absent: ONNX Runtime is not installed, or gave no answer within `seconds`.
std::optional<Opened> open_in_ort(const Model& model, int seconds = 30);

// Fills in "loads_in" (runtimes that load every node of the model; `proved` where one was opened), "loads_unknown"
// (those that no table speaks against, with the number of nodes that it does not know) and "refused_by" (those that
// were opened and refuse it, with their message). With `prove` unset nothing is opened.
void add_loads_in(const Model& model, const Binding& binding, bool prove, Json& entry);

}  // namespace aegis
