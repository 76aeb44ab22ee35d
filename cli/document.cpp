#include "cli/document.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/term.hpp"
#include "linter/rule_book.hpp"

namespace aegis {

Json new_document(std::string_view command) {
  Json document;
  document["aegis"] = Json{{"version", AEGIS_VERSION}, {"schema", 1}};
  document["command"] = command;
  return document;
}

Json number_or_null(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  if (std::abs(*value) < 9007199254740992.0 && *value == std::trunc(*value)) return static_cast<std::int64_t>(*value);
  return *value;
}

Json text_or_null(std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string text_of(const Json& value, std::string_view otherwise) {
  return value.is_string() ? printable(value.get_ref<const std::string&>()) : std::string(otherwise);
}

std::optional<double> number_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

Json error_object(const Error& error, std::string_view path) {
  const bool known = error.where.empty() || error.where == path;
  std::string message = known ? error.message : error.where + ": " + error.message;
  for (const std::string& note : error.notes) message += "; " + note;
  return Json{{"code", error.code.empty() ? Json(nullptr) : Json(error.code)}, {"message", message}};
}

Json packs_json(const RuleBook& book) {
  Json list = Json::array();
  for (const auto& pack : book.packs())
    list.push_back(Json{{"name", pack->name()},
                        {"version", pack->version()},
                        {"vendor", pack->vendor()},
                        {"path", pack->path()},
                        {"sha256", pack->sha256()},
                        {"rules", pack->rules().size()}});
  return list;
}

std::string error_text(const Error& error) {
  std::string text = error.where.empty() ? "" : printable(error.where) + ": ";
  text += "error: ";
  if (!error.code.empty()) text += error.code + " ";
  text += printable(error.message) + "\n";
  for (const std::string& note : error.notes) text += "  " + printable(note) + "\n";
  return text;
}

}  // namespace aegis
