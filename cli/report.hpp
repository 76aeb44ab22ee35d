// ReportFormat: one way to print a document, one file in cli/report; a generated table lists them.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "cli/command.hpp"

namespace aegis {

struct ReportFormat {
  std::string_view name;     // "json"
  std::string_view summary;  // for --help
  // The verbs whose documents it can print, separated by commas; empty: all of them.
  std::string_view commands;
  // Writes the whole report, ended by a newline. All text of the document is hostile: the format escapes it.
  void (*write)(const Json& document, const TextStyle& style, std::ostream& out) = nullptr;
};

std::span<const ReportFormat* const> report_formats();  // generated from cli/report/*.cpp, sorted by file name
const ReportFormat* find_report_format(std::string_view name);

}  // namespace aegis

#define AEGIS_REPORT(stem)                                \
  extern const ::aegis::ReportFormat aegis_report_##stem; \
  constinit const ::aegis::ReportFormat aegis_report_##stem
