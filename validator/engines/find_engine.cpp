#include <fmt/format.h>

#include "validator/engines/engine.hpp"

namespace aegis {

Result<std::shared_ptr<const Engine>> find_engine(const std::string& name) {
  if (name == "cpu") return cpu_engine();
  if (name == "ort") return ort_engine({});
  if (name.starts_with("ort:")) return ort_engine(name.substr(4));
  return Error{.fault = Fault::usage,
               .code = {},
               .message = fmt::format(
                   "engine '{}' is not part of this build, expected cpu or ort[:PATH]; leave --engine out", name),
               .where = "--engine",
               .notes = {}};
}

}  // namespace aegis
