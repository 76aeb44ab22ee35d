// The frame of every document: {"aegis": {"version", "schema"}, "command": ...}.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace aegis {

class RuleBook;

Json new_document(std::string_view command);

// A number, or null when it is unknown. Whole numbers below 2^53 are written without a fraction.
Json number_or_null(std::optional<double> value);
// A text, or null when it is empty.
Json text_or_null(std::string_view text);
// {"code", "message"}: what `error` holds for a model that could not be used. The message names the place of the error,
// but for `path`, which stands beside it.
Json error_object(const Error& error, std::string_view path = "");
// Name, version, file and SHA-256 of each pack of a run.
Json packs_json(const RuleBook& book);
// "where: message", then one line a note: for standard error.
std::string error_text(const Error& error);

// Reading a document for people: a text made printable, or `otherwise` when the value is no text.
std::string text_of(const Json& value, std::string_view otherwise = "");
// A number of an object; absent when it is unknown or not there.
std::optional<double> number_of(const Json& object, std::string_view key);

}  // namespace aegis
