// One place opens files for reading (model/open_file.cpp); whatever else opens one is listed here with its reason.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

namespace aegis::house {
namespace {

namespace fs = std::filesystem;

// How C and C++ open a file.
const char* const opening =
    R"((^|[^\w:.>])::open\s*\(|(return|=|\()\s*open\s*\(|\b(openat2?|fopen)\s*\(|\bi?fstream\b\s*\w*\s*[({;])";

std::string found_in(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  std::ostringstream found;
  const std::regex call(opening);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string code = line.substr(0, line.find("//"));
    if (std::regex_search(code, call)) found << file << ':' << number << ": " << line << '\n';
  }
  return found.str();
}

}  // namespace

TEST_CASE("models and data files are opened in one place") {
  const std::map<std::string, const char*> allowed = {
      {"cli/worker/child.cpp", "/dev/null"}, {"model/open_file.cpp", "the place"},
      {"model/staged_file.cpp", "writes"},   {"model/copy_model.cpp", "folders of what is written"},
      {"cli/config.cpp", "aegis.toml"},      {"cli/cmd/lint.cpp", "--files-from"},
      {"cli/asked.cpp", "--devices"},
  };
  std::ostringstream found;
  for (const char* folder : {"model", "ops", "exec", "linter", "rules", "rewriter", "validator", "cli", "plugins"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(AEGIS_SOURCE_DIR) / folder)) {
      const auto kind = entry.path().extension();
      const std::string file = fs::relative(entry.path(), AEGIS_SOURCE_DIR).generic_string();
      if ((kind != ".cpp" && kind != ".hpp" && kind != ".h") || allowed.contains(file)) continue;
      std::ifstream in(entry.path());
      found << found_in({std::istreambuf_iterator<char>(in), {}}, file);
    }
  }
  CHECK(found.str() == "");
}

TEST_CASE("whatever opens a file is found") {
  for (const char* line : {"int d = ::open(path, O_RDONLY);", "return open(path, 0);", "std::ifstream file;",
                           "x = openat(at, name, 0);", "syscall(SYS_x); openat2(a)",
                           "FILE* f = std::fopen(path, \"r\");", "std::ifstream in(path);", "std::fstream{path}"})
    CHECK(found_in(line, "f") != "");
  for (const char* line : {"File::opened(x)", "auto file = open_file(path);", "// open(path)", "staged.open()",
                           "window->open(kind)", "Result<File> File::open(path)", "std::ofstream out(path);"})
    CHECK(found_in(line, "f") == "");
}

}  // namespace aegis::house
