#pragma once

#include <aegis/aegis.h>

namespace aegis::host {

// The functions that read: the graph, constants, dims, the view, facts, options.
void fill_reading(aegis_api& api);

}  // namespace aegis::host
