// One file through the linter, and what comes of it: in this process, or in a worker that sends it here.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/settings.hpp"
#include "cli/walk.hpp"
#include "linter/lint.hpp"

namespace aegis {

struct LintedFile {
  std::shared_ptr<Json> model;  // its entry in models[]; null: a pointer of Git LFS that was met and skipped
  std::optional<Error> error;   // why it could not be linted
  std::optional<Error> misuse;  // an option does not fit the file: ends the run
  struct Budget {
    double limit = 0;
    std::optional<double> actual;
  };
  std::map<std::string, Budget> budgets;
  std::vector<StaleSuppression> stale;
  std::vector<std::string> used;  // origins of the suppressions that matched
};

std::string pack(const LintedFile& file);
// What a worker sent; nothing when it is no such thing.
std::optional<LintedFile> unpack_linted(std::string_view bytes);

// A file that was not linted, because of `error`.
LintedFile not_linted(const std::string& path, const Error& error);

// Lints file after file with the same settings; what all files share is made ready once.
class FileLinter {
 public:
  // Errors (usage): options that fit no file.
  static Result<FileLinter> make(const Settings& settings, int threads);

  LintedFile lint(const ModelFile& file, Io& io) const;

 private:
  struct Ready;
  explicit FileLinter(std::shared_ptr<const Ready> base, const Settings& settings, int threads)
      : base_(std::move(base)), settings_(&settings), threads_(threads) {}
  static Result<std::shared_ptr<const Ready>> ready(const Settings& settings, int threads);

  std::shared_ptr<const Ready> base_;
  const Settings* settings_;
  int threads_;
};

}  // namespace aegis
