#include "linter/match.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace aegis;

TEST_CASE("a star crosses slashes and a question mark is one character") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("/encoder/*/MatMul_?", "/encoder/layer/3/MatMul_1"));
  CHECK_FALSE(glob_match("/encoder/*/MatMul_?", "/encoder/layer/3/MatMul_12"));
  CHECK(glob_match("*mask*", "/a/mask/Where"));
  CHECK_FALSE(glob_match("mask", "mask2"));
  CHECK(glob_match("a*b*c", "a__b_b_c"));
  CHECK_FALSE(glob_match("", "a"));
}

TEST_CASE("the nearest word is offered only when it is near") {
  const std::vector<std::string> words{"min_time_share", "max_time_share", "waves"};
  CHECK(nearest("min_tme_share", words) == "min_time_share");
  CHECK(nearest("wave", words) == "waves");
  CHECK(nearest("tolerance", words).empty());
  CHECK(did_you_mean("wavse", words) == ", did you mean `waves`");
  CHECK(did_you_mean("tolerance", words).empty());
}
