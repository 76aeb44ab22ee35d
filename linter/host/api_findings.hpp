#pragma once

#include <aegis/aegis.h>

namespace aegis::host {

// The functions that make findings.
void fill_findings(aegis_api& api);

}  // namespace aegis::host
