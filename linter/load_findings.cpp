#include "linter/load_findings.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include "linter/host_codes.hpp"

namespace aegis {

std::vector<Finding> load_findings_of(const Model& model) {
  std::vector<Finding> out;
  for (const Error& error : model.load_findings()) {
    const HostCode* code = find_host_code(error.code);
    if (code == nullptr) continue;
    const std::string identity = error.code + "|" + (error.where == model.path() ? "" : error.where);
    Finding finding;
    finding.code = error.code;
    finding.rule = code->name;
    finding.severity = severity_from_name(code->severity).value_or(Severity::error);
    finding.message = error.where == model.path() ? error.message : error.where + ": " + error.message;
    finding.fingerprint = fmt::format("{:016x}", XXH3_64bits(identity.data(), identity.size()));
    out.push_back(std::move(finding));
  }
  return out;
}

bool is_unreadable(std::string_view code, Severity severity) {
  return code.starts_with("IO") && severity == Severity::error;
}

}  // namespace aegis
