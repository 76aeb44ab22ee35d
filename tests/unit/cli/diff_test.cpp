#include "cli/diff.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace aegis;

TEST_CASE("equal texts differ in nothing") {
  CHECK(line_diff("a\nb\n", "a\nb\n").empty());
  CHECK(line_diff("", "").empty());
}

TEST_CASE("changed lines stand between their neighbours") {
  CHECK(line_diff("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nX\n5\n6\n7\n", 1) == "@@ -3,3 +3,3 @@\n 3\n-4\n+X\n 5\n");
  CHECK(line_diff("a\n", "a\nb\n") == "@@ -1,1 +1,2 @@\n a\n+b\n");
  CHECK(line_diff("a\nb\n", "b\n") == "@@ -1,2 +1,1 @@\n-a\n b\n");
  CHECK(line_diff("", "x\n") == "@@ -1,0 +1,1 @@\n+x\n");
}

TEST_CASE("changes far apart are stretches of their own") {
  CHECK(line_diff("a\n1\n2\n3\n4\n5\nb\n", "A\n1\n2\n3\n4\n5\nB\n", 1) ==
        "@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -6,2 +6,2 @@\n 5\n-b\n+B\n");
}

TEST_CASE("the shortest script is found") {
  // abcabba -> cbabac needs five changes.
  const std::string text = line_diff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", 0);
  std::size_t changes = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    changes += text[at] == '+' || text[at] == '-';
  CHECK(changes == 5);
}

TEST_CASE("beyond the limit everything is given as changed") {
  CHECK(line_diff("a\nb\n", "c\nd\n", 0, 1) == "@@ -1,2 +1,2 @@\n-a\n-b\n+c\n+d\n");
}
