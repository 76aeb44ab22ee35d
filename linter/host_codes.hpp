// Codes that no rule file holds: what the loader (IO) and the host of the rules (PK) report. They are always on.
#pragma once

#include <span>
#include <string_view>

namespace aegis {

struct HostCode {
  std::string_view code, name, family, severity;
  std::string_view trigger;  // what was met
  std::string_view advice;   // what to do
};

std::span<const HostCode> host_codes();
const HostCode* find_host_code(std::string_view code_or_name);

}  // namespace aegis
