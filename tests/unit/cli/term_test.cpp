#include "cli/term.hpp"

#include <catch2/catch_test_macros.hpp>

#include "cli/units.hpp"

using namespace aegis;

TEST_CASE("names that would act on a terminal are made visible") {
  CHECK(printable("plain / name.0") == "plain / name.0");
  CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
  CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");  // C1 control sequence introducer
  CHECK(printable("a\xe2\x80\xae"
                  "b") == "a\\u202eb");                   // right-to-left override
  CHECK(printable("\xe2\x80\x8b") == "\\u200b");          // zero width space
  CHECK(printable("\xf3\xa0\x80\x81") == "\\U000e0001");  // tag character
  CHECK(printable("Gr\xc3\xb6\xc3\x9f"
                  "e \xe5\xb1\xa4") ==
        "Gr\xc3\xb6\xc3\x9f"
        "e \xe5\xb1\xa4");
}

TEST_CASE("bytes that are not UTF-8 are shown as bytes") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xc0\x80") == "\\xc0\\x80");           // overlong NUL
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // surrogate
  CHECK(printable("\xe2\x80") == "\\xe2\\x80");           // cut short
  CHECK(printable(std::string_view("\0x", 2)) == "\\x00x");
}

TEST_CASE("a long name is cut between characters") {
  CHECK(printable("abcdef", 3) == "abc...");
  CHECK(printable("ab\xe5\xb1\xa4", 4) == "ab...");
  CHECK(printable("abc", 3) == "abc");
}

TEST_CASE("no line starts with a command for a build log") {
  CHECK(printable("::error::x") == "\\x3a:error::x");
  CHECK(printable("##vso[task]") == "\\x23#vso[task]");
  CHECK(printable("x ::set-output") == "x \\x3a:set-output");  // text is broken into lines at spaces
  CHECK(printable("\xc2\xa0::error::") == "\\xa0::error::");   // a space too, for who trims lines
  CHECK(printable("x ###[group]") == "x #\\x23#[group]");
  CHECK(printable("a::b ## c #1") == "a::b ## c #1");
}

TEST_CASE("text is broken at spaces, with a hanging indent") {
  const TextStyle narrow{.columns = 20};
  CHECK(wrap(narrow, "one two three four five six", 2, 4) == "  one two three four\n    five six");
  CHECK(wrap(narrow, "a_word_that_is_longer_than_a_line x", 0, 2) == "a_word_that_is_longer_than_a_line\n  x");
  CHECK(width_of("\x1b[31mred\x1b[0m") == 3);
  CHECK(paint(narrow, Paint::red, "x") == "x");
  CHECK(paint(TextStyle{.colour = true}, Paint::red, "x") == "\x1b[31mx\x1b[0m");
}

TEST_CASE("numbers carry three digits and their unit") {
  CHECK(with_prefix(1.72e10, "FLOP") == "17.2 GFLOP");
  CHECK(with_prefix(999.6, "B") == "1 kB");
  CHECK(with_prefix(12, "B") == "12 B");
  CHECK(as_time(9.81) == "9.81 us");
  CHECK(as_time(1240) == "1.24 ms");
  CHECK(as_time(2.5e6) == "2.5 s");
  CHECK(short_number(0) == "0");
  CHECK(short_number(0.305) == "0.305");
  CHECK(short_number(1048) == "1048");
  CHECK(as_quantity("padded_flops_percent", 0.1) == "0.1 %");
  CHECK(as_quantity("bytes_min", 2.94e7) == "29.4 MB");
  CHECK(as_quantity("ridge", 295.1) == "295 FLOP/B");
}
