// What the loader finds wrong with a file whose rest can be judged: named in the report, told by the exit code, and no
// reason to say less about the rest.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "run.hpp"
#include "tests/unit/model/wire_bytes.hpp"

using namespace aegis;
using test::field;
using test::Folder;
using test::run_aegis;
using test::varint_field;

namespace {

std::string tensor_type(std::uint64_t rows, std::uint64_t columns) {
  const std::string shape = field(1, varint_field(1, rows)) + field(1, varint_field(1, columns));
  return field(2, field(1, varint_field(1, 10) + field(2, shape)));
}

// y = MatMul(x, w) in FP16 with a K that is off its multiple; w lies in another file.
std::string model_with_data_at(const std::string& location, std::uint64_t ir = 10, std::uint64_t opset = 21) {
  const std::string entry = field(13, field(1, "location") + field(2, location));
  const std::string weight =
      varint_field(1, 4097) + varint_field(1, 1024) + varint_field(2, 10) + field(8, "w") + entry + varint_field(14, 1);
  const std::string node = field(1, "x") + field(1, "w") + field(2, "y") + field(3, "product") + field(4, "MatMul");
  const std::string graph = field(1, node) + field(2, "g") + field(5, weight) +
                            field(11, field(1, "x") + tensor_type(2048, 4097)) +
                            field(12, field(1, "y") + tensor_type(2048, 1024));
  return varint_field(1, ir) + field(7, graph) + field(8, varint_field(2, opset));
}

nlohmann::json lint(const std::string& path, Exit expected, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"lint", path, "--format", "json", "--no-assume"};
  words.insert(words.end(), more.begin(), more.end());
  const auto ran = run_aegis(words);
  INFO(ran.err);
  CHECK(ran.exit == expected);
  return nlohmann::json::parse(ran.out);
}

std::string codes(const nlohmann::json& document) {
  std::string out;
  for (const auto& finding : document["models"][0]["findings"]) out += finding["code"].get<std::string>() + " ";
  return out;
}

}  // namespace

TEST_CASE("weights that cannot be read are a finding, exit 3, and the layers are judged all the same") {
  const Folder folder;
  const auto missing = lint(folder.write("m.onnx", model_with_data_at("absent.bin")), Exit::file);
  CHECK(codes(missing).starts_with("IO906 "));
  CHECK(codes(missing).find("AL101") != std::string::npos);
  CHECK(missing["models"][0]["error"].is_null());
  const auto refused = lint(folder.write("m.onnx", model_with_data_at("../w.bin")), Exit::file);
  CHECK(codes(refused).starts_with("IO905 "));
  CHECK(refused["models"][0]["findings"][0]["rule"] == "external_path_refused");
  CHECK(refused["models"][0]["findings"][0]["severity"] == "error");
  CHECK(refused["models"][0]["findings"][0]["message"].get<std::string>().find("../w.bin") != std::string::npos);
}

TEST_CASE("a selection does not silence what could not be read") {
  const Folder folder;
  const std::string path = folder.write("m.onnx", model_with_data_at("absent.bin"));
  CHECK(codes(lint(path, Exit::file, {"--select", "MB"})).starts_with("IO906 "));
}

TEST_CASE("a version that is newer than the schemas is a warning") {
  const Folder folder;
  folder.write("w.bin", std::string(4097 * 1024 * 2, '\0'));
  const std::string path = folder.write("m.onnx", model_with_data_at("w.bin", 99, 99));
  const auto document = lint(path, Exit::clean);
  std::size_t found = 0;
  for (const auto& finding : document["models"][0]["findings"]) {
    if (finding["code"] != "IO909") continue;
    ++found;
    CHECK(finding["severity"] == "warning");
  }
  CHECK(found == 2);  // IR and opset
  lint(path, Exit::gate, {"--fail-on", "warning"});
}
