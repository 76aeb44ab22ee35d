// Limits of the loader as a run sets them.
#include "cli/limits.hpp"

#include <catch2/catch_test_macros.hpp>

#include "run.hpp"
#include "tests/unit/model/wire_bytes.hpp"

using namespace aegis;
using test::field;
using test::Folder;
using test::run_aegis;

TEST_CASE("every limit of the loader can be set by its name") {
  for (const LimitRow& row : limit_rows()) {
    INFO(row.name);
    const auto* found = find_run_limit(row.name);
    REQUIRE(found != nullptr);
    RunLimits limits;
    found->of(limits) = 7;
    CHECK(limits.load.*row.value == 7);
  }
}

TEST_CASE("a file that reaches a limit is told the limit, and passes when it is raised") {
  const Folder folder;
  const std::string node = field(1, field(2, "y") + field(4, "Relu"));
  const std::string path = folder.write("m.onnx", field(7, node + node + node));
  const auto refused = run_aegis({"lint", path, "--limit", "nodes=2"});
  CHECK(refused.exit == Exit::file);
  CHECK(refused.out.find("IO904") != std::string::npos);
  CHECK(refused.out.find("limit nodes") != std::string::npos);
  CHECK(run_aegis({"lint", path, "--limit", "nodes=3"}).out.find("IO904") == std::string::npos);
}
