// The document as it is. Bytes that are not UTF-8 are replaced, so that the result is JSON whatever a model holds;
// control and bidirectional characters leave as escapes, so that the report can be shown on a terminal too.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/report.hpp"

using namespace aegis;

namespace {

void write(const Json& document, const TextStyle&, std::ostream& out) {
  out << document.dump(1, ' ', true, Json::error_handler_t::replace) << '\n';
}

}  // namespace

AEGIS_REPORT(json) = {.name = "json", .summary = "the whole document, for programs", .write = write};
