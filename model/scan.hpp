// One pass over float weights that counts whatever anybody asks of them, as integers that order like the numbers: NaN
// cannot poison a comparison, every instruction set gives the same answer, and the loop is as wide as the machine.
//
// The magnitude of an IEEE number is its bits without the sign: magnitudes compare as integers, those from infinity's
// bits on are not finite.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aegis {

inline constexpr std::size_t scan_limits = 6;  // how many magnitudes one pass counts against

// What was found so far. Word: std::uint32_t for FLOAT, std::uint16_t for FLOAT16 and BFLOAT16.
template <class Word>
struct ScanSums {
  std::uint64_t count = 0, zeros = 0, nonfinite = 0;
  std::array<std::uint64_t, scan_limits> at_least{};  // finite magnitudes from that limit on
  // Bits of the extremes among finite elements: the least and the greatest number, the smallest magnitude that is not
  // 0. Meaningless when count == nonfinite; `smallest` also when nothing but zeros is finite.
  Word least = 0, greatest = 0, smallest = 0;
  friend bool operator==(const ScanSums&, const ScanSums&) = default;
};

template <class Word>
struct ScanAsked {
  Word infinity = 0;                       // bits of +inf
  std::array<Word, scan_limits> limits{};  // magnitudes, as bits
};

template <class Word>
using ScanFunction = void (*)(std::span<const Word>, const ScanAsked<Word>&, ScanSums<Word>&);

// Adds the elements to the sums, by the widest instructions that this machine has.
template <class Word>
void scan(std::span<const Word> elements, const ScanAsked<Word>& asked, ScanSums<Word>& sums);

// The same by each instruction set that this machine has, for tests and measurements.
template <class Word>
struct ScanVariant {
  std::string_view name;
  ScanFunction<Word> run;
};
template <class Word>
std::span<const ScanVariant<Word>> scan_variants();

}  // namespace aegis
