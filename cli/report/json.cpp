// The document as it is.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

void write(const Json& document, const TextStyle&, std::ostream& out) { out << json_text(document, 1) << '\n'; }

}  // namespace

AEGIS_REPORT(json) = {.name = "json", .summary = "the whole document, for programs", .write = write};
