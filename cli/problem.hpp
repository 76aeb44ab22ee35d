// A document as a flat list of things to point at. Every format that speaks to a code host prints this list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace aegis {

// The verbs whose documents hold problems, for ReportFormat::commands.
inline constexpr std::string_view problem_commands = "lint, rewrite, validate, config verify";

// Text is printable (cli/escape.hpp), but for `path`, which is as the document has it.
struct Problem {
  std::string path;      // what to point at; never empty
  std::string line;      // of `path`, from 1
  std::string severity;  // "error", "warning", "info"
  std::string code, rule;
  std::string place;              // where in the model, for people; may be empty
  std::string message;            // one line
  std::vector<std::string> more;  // further lines: figures, advice, the fix
  bool suppressed = false;
  bool fails = false;             // it is why the exit code is not 0
  const Json* finding = nullptr;  // the entry of findings[] that it stands for, borrowed from the document

  std::string title() const;     // "AL101 unaligned_gemm_k"
  std::string headline() const;  // place and message in one line
};

// Errors first, then warnings; within a severity in the order of the document.
std::vector<Problem> problems_of(const Json& document);

// The files that the document is about, in its order, those without a problem too.
std::vector<std::string> paths_of(const Json& document);

// "1 error, 0 warnings, 4 infos in 1 file, 2 suppressed".
std::string totals_of(const std::vector<Problem>& problems, std::size_t files);

}  // namespace aegis
