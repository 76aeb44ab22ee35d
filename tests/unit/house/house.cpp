#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/unit/house/layer_rules.hpp"

namespace aegis::house {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// C++ sources of every folder of the house, relative to the source tree, sorted.
std::vector<std::string> sources() {
  const fs::path root = AEGIS_SOURCE_DIR;
  std::vector<std::string> files;
  for (const auto& top : fs::directory_iterator(root)) {
    if (!top.is_directory() || folder_of(top.path().filename().string() + "/x").empty()) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top.path())) {
      const auto kind = entry.path().extension();
      if (kind == ".cpp" || kind == ".hpp" || kind == ".h" || kind == ".cu" || kind == ".cuh") {
        files.push_back(fs::relative(entry.path(), root).generic_string());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

TEST_CASE("every #include keeps the order of the house") {
  const auto files = sources();
  REQUIRE(files.size() > 20);
  std::ostringstream found;
  for (const auto& file : files) {
    for (const auto& v : check_includes(file, read(fs::path(AEGIS_SOURCE_DIR) / file))) {
      found << v.file << ':' << v.line << ": " << v.message << '\n';
    }
  }
  CHECK(found.str() == "");
}

TEST_CASE("no source file is longer than 600 lines") {
  std::ostringstream found;
  for (const auto& file : sources()) {
    const auto text = read(fs::path(AEGIS_SOURCE_DIR) / file);
    if (const auto lines = std::ranges::count(text, '\n'); lines > 600) {
      found << file << ": " << lines << " lines: split it by idea\n";
    }
  }
  CHECK(found.str() == "");
}

TEST_CASE("no test is named like an option of its runner, which would not find it by name") {
  std::ostringstream found;
  std::size_t tests = 0;
  for (const auto& file : sources()) {
    std::istringstream lines(read(fs::path(AEGIS_SOURCE_DIR) / file));
    constexpr std::string_view head = "TEST_CASE(\"";
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(head) || line.size() == head.size()) continue;
      ++tests;
      if (std::string_view("-~[*").find(line[head.size()]) != std::string_view::npos)
        found << file << ": " << line << '\n';
    }
  }
  CHECK(tests > 400);
  CHECK(found.str() == "");
}

TEST_CASE("an #include against the order is caught, with file, line and what is allowed") {
  struct Planted {
    const char* file;
    const char* include;
  };
  const Planted planted[] = {
      {"model/load.cpp", "\"ops/op.hpp\""},
      {"ops/infer.cpp", "\"exec/run.hpp\""},
      {"ops/std/gemm.cpp", "\"linter/host.hpp\""},
      {"exec/run.cpp", "\"linter/lint.hpp\""},
      {"linter/run.cpp", "\"rewriter/pass.hpp\""},
      {"validator/run.cpp", "\"linter/lint.hpp\""},
      {"validator/run.cpp", "\"rewriter/pass.hpp\""},
      {"rewriter/plan.cpp", "\"validator/validate.hpp\""},
      {"rewriter/plan.cpp", "\"cli/main.hpp\""},
      {"rules/alignment/x.cpp", "\"model/model.hpp\""},
      {"rules/alignment/x.cpp", "\"ops/op.hpp\""},
      {"rules/alignment/x.cpp", "<fmt/format.h>"},
      {"plugins/sdk/aegis/rule.hpp", "\"model/model.hpp\""},
      {"ops/std/add.cpp", "<onnx/onnx_pb.h>"},
      {"model/model.hpp", "<onnx/onnx_pb.h>"},
      {"linter/lint.hpp", "<fmt/format.h>"},
      {"cli/report.hpp", "<nlohmann/json.hpp>"},
      {"ops/infer.hpp", "\"model/state.hpp\""},
  };
  for (const auto& [file, include] : planted) {
    const auto text = std::string("// a file\n  #  include ") + include + "\nint x;\n";
    const auto found = check_includes(file, text);
    INFO(file << " including " << include);
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == file);
    CHECK(found[0].line == 2);
    CHECK(found[0].message.starts_with("includes "));
  }
}

TEST_CASE("an #include along the order is silent") {
  CHECK(check_includes("rules/alignment/x.cpp", "#include <aegis/rule.hpp>\n#include <algorithm>\n").empty());
  CHECK(check_includes("ops/infer.cpp", "#include <onnx/defs/schema.h>\n#include \"model/state.hpp\"\n").empty());
  CHECK(check_includes("rewriter/plan.cpp", "#include \"exec/run.hpp\"\n#include \"linter/lint.hpp\"").empty());
  CHECK(check_includes("validator/run.cpp", "#include \"exec/run.hpp\"\n#include <fmt/format.h>").empty());
  CHECK(check_includes("model/state.hpp", "#include <onnx/onnx_pb.h>\n").empty());
  CHECK(check_includes("model/load.cpp", "// #include \"ops/op.hpp\"\nauto s = \"#include\";\n").empty());
}

}  // namespace
}  // namespace aegis::house
