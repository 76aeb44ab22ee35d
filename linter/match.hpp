// Matching of names: globs for places, prefixes for codes, and the nearest known word for a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aegis {

// "*" stands for any run of characters, "/" included, "?" for one character; everything else for itself.
bool glob_match(std::string_view pattern, std::string_view text);

// The candidate with the smallest edit distance, when it is near enough to be what was meant; empty otherwise.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

// ", did you mean `x`" or nothing, to end an error message with.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace aegis
