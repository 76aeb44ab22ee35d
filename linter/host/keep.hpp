// Which nodes a KeepWide Request means: a rule names a node and how far to go, the host walks the graph.
#pragma once

#include <aegis/requests.h>

#include <vector>

#include "linter/host/view.hpp"

namespace aegis::host {

// In file order, the named node among them; only those of `region` that exist. Empty for a value, and when the node
// that is named is not there.
std::vector<aegis_node> kept_nodes(const ViewState& view, const aegis_keep_wide& keep);

}  // namespace aegis::host
