// The scan against the plainest loop there is, by every instruction set of this machine, on random and on special bits.
#include "model/scan.hpp"

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <vector>

using namespace aegis;

namespace {

template <class Word>
constexpr Word sign = static_cast<Word>(Word{1} << (std::numeric_limits<Word>::digits - 1));

// -1 when a is the smaller number; bits of finite numbers.
template <class Word>
bool smaller(Word a, Word b) {
  const bool negative_a = a & sign<Word>, negative_b = b & sign<Word>;
  if (negative_a != negative_b) return negative_a;
  return negative_a ? (a & ~sign<Word>) > (b & ~sign<Word>) : a < b;
}

template <class Word>
ScanSums<Word> plainly(std::span<const Word> elements, const ScanAsked<Word>& asked) {
  ScanSums<Word> sums;
  bool any = false, filled = false;
  for (const Word bits : elements) {
    const Word magnitude = static_cast<Word>(bits & ~sign<Word>);
    ++sums.count;
    if (magnitude >= asked.infinity) {
      ++sums.nonfinite;
      continue;
    }
    if (!any || smaller(bits, sums.least)) sums.least = bits;
    if (!any || smaller(sums.greatest, bits)) sums.greatest = bits;
    any = true;
    for (std::size_t k = 0; k < scan_limits; ++k) sums.at_least[k] += magnitude >= asked.limits[k] ? 1u : 0u;
    if (magnitude == 0) {
      ++sums.zeros;
      continue;
    }
    if (!filled || magnitude < sums.smallest) sums.smallest = magnitude;
    filled = true;
  }
  return sums;
}

template <class Word>
std::vector<ScanAsked<Word>> questions() {
  if constexpr (sizeof(Word) == 4)
    return {{0x7f800000, {0x477ff000, 0x33000001, 0x38800000, 0x7f7f8000, 0x8001, 0x00800000}}};
  else
    return {{0x7c00, {0x7c00, 1, 0x0400, 0x7c00, 1, 1}}, {0x7f80, {0x4780, 0x3301, 0x3880, 0x7f80, 1, 0x0080}}};
}

template <class Word>
void compare(std::span<const Word> elements) {
  for (const auto& asked : questions<Word>()) {
    const ScanSums<Word> expected = plainly(elements, asked);
    for (const auto& variant : scan_variants<Word>()) {
      INFO(variant.name << ", " << elements.size() << " elements");
      ScanSums<Word> whole, halves;
      variant.run(elements, asked, whole);
      CHECK((whole == expected));
      const std::size_t cut = elements.size() / 3;
      variant.run(elements.first(cut), asked, halves);
      variant.run(elements.subspan(cut), asked, halves);
      CHECK((halves == expected));
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("the scan counts as the plainest loop does", "", std::uint32_t, std::uint16_t) {
  using Word = TestType;
  CHECK_FALSE(scan_variants<Word>().empty());
  std::mt19937_64 random(7);
  const auto word = [&] { return static_cast<Word>(random() >> 17); };
  for (const std::size_t size : {0u, 1u, 3u, 31u, 32u, 33u, 127u, 1000u, 70001u}) {
    std::vector<Word> elements(size);
    for (Word& w : elements) w = word();
    compare<Word>(elements);
    // Most of what matters lies at the borders: zeros of both signs, subnormals, the limits themselves, inf and NaN.
    std::vector<Word> special{0, sign<Word>, 1, static_cast<Word>(sign<Word> | 1), static_cast<Word>(~Word{0})};
    for (const auto& asked : questions<Word>()) {
      for (const Word limit : asked.limits)
        for (const int step : {-1, 0, 1}) special.push_back(static_cast<Word>(limit + static_cast<Word>(step)));
      for (const int step : {-1, 0, 1}) special.push_back(static_cast<Word>(asked.infinity + static_cast<Word>(step)));
    }
    for (Word& w : elements)
      w = static_cast<Word>(special[random() % special.size()] ^ (random() % 2 ? sign<Word> : Word{0}));
    compare<Word>(elements);
  }
}

TEMPLATE_TEST_CASE("a scan of nothing but NaN or zeros tells no extremes", "", std::uint32_t, std::uint16_t) {
  using Word = TestType;
  compare<Word>(std::vector<Word>(100, static_cast<Word>(~Word{0})));
  compare<Word>(std::vector<Word>(100, Word{0}));
  compare<Word>(std::vector<Word>(100, sign<Word>));
}

TEST_CASE("counters of 16 bits do not overflow on a long run of one number") {
  compare<std::uint16_t>(std::vector<std::uint16_t>((1u << 20) + 5, std::uint16_t{0x3c00}));
  compare<std::uint16_t>(std::vector<std::uint16_t>((1u << 20) + 5, std::uint16_t{0}));
}
