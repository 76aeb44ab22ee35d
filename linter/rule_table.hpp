// The built-in rules as the plugin line knows them; generated from rules/<family>/<rule>.cpp.
#pragma once

#include <aegis/aegis.h>

#include <span>

namespace aegis {

std::span<const aegis_entry> rule_table();

}  // namespace aegis
