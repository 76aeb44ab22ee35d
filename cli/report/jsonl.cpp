// The document in lines, each one JSON and each with its type: a start, every model and after it each of its findings,
// an end with everything else. Joined again they are the document.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

void write_line(std::string_view type, const Json& fields, std::ostream& out) {
  Json line{{"type", type}};
  line.update(fields);
  out << json_text(line, -1) << '\n';
}

void write_model(const Json& model, std::ostream& out) {
  Json rest = model;
  rest.erase("findings");
  write_line("model", rest, out);
  if (const auto findings = model.find("findings"); findings != model.end())
    for (const Json& finding : *findings) {
      Json line{{"path", model["path"]}};
      line.update(finding);
      write_line("finding", line, out);
    }
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  Json rest = document;
  for (const char* key : {"aegis", "command", "models"}) rest.erase(key);
  write_line("start", Json{{"aegis", document["aegis"]}, {"command", document["command"]}}, out);
  if (const auto models = document.find("models"); models != document.end())
    for (const Json& model : *models) write_model(model, out);
  write_line("end", rest, out);
}

}  // namespace

AEGIS_REPORT(jsonl) = {.name = "jsonl", .summary = "the document in lines: a model, a finding each", .write = write};
