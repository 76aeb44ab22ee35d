// The rules of the program against the catalogue: what is built agrees with its row.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "linter/rule_book.hpp"

using namespace aegis;

static std::vector<std::string> cells(const std::string& line, char separator) {
  std::vector<std::string> out;
  std::stringstream in(line);
  for (std::string cell; std::getline(in, cell, separator);) out.push_back(cell);
  return out;
}

static std::vector<std::vector<std::string>> catalogue() {
  std::ifstream in(AEGIS_SOURCE_DIR "/tests/data/catalogue.tsv");
  REQUIRE(in);
  std::vector<std::vector<std::string>> out;
  std::string line;
  std::getline(in, line);  // the header
  while (std::getline(in, line)) out.push_back(cells(line, '\t'));
  return out;
}

static const std::vector<std::string>* row_of(const std::vector<std::vector<std::string>>& rows,
                                              const std::string& code) {
  for (const auto& row : rows) {
    if (row[0] == code) return &row;
  }
  return nullptr;
}

static std::string safety_of(const Rule& rule) { return rule.safety ? std::string(name(*rule.safety)) : "-"; }

TEST_CASE("the rules that are built agree with the catalogue") {
  const auto rows = catalogue();
  CHECK(rules().size() >= 10);
  for (const Rule& rule : rules()) {
    INFO(rule.code << ' ' << rule.name);
    const auto* row = row_of(rows, rule.code);
    REQUIRE(row);
    REQUIRE(row->size() == 9);
    CHECK(rule.name == (*row)[1]);
    CHECK(rule.family == (*row)[2]);
    CHECK(name(rule.unit) == (*row)[3]);
    CHECK(name(rule.severity) == (*row)[4]);
    CHECK((rule.stable ? "yes" : "no") == (*row)[5]);
    CHECK((rule.pins ? "yes" : "no") == (*row)[6]);
    const auto silences = (*row)[7] == "-" ? std::vector<std::string>() : cells((*row)[7], ',');
    CHECK(rule.silences == silences);
    CHECK(safety_of(rule) == (*row)[8]);
  }
}

TEST_CASE("rules are found by code and by name, in the order of their codes") {
  const RuleBook book;
  CHECK(book.find("AL101") != nullptr);
  CHECK(book.find("AL101") == book.find("unaligned_gemm_k"));
  CHECK(book.find("AL999") == nullptr);
  for (std::size_t i = 1; i < rules().size(); ++i) CHECK(rules()[i - 1].code < rules()[i].code);
}
