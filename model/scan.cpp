#include "model/scan.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace aegis {
namespace {

// Counters are as wide as the elements, so that one vector holds as many of them: a block of vectors must not overflow
// them.
constexpr std::size_t block = 1u << 14;

// Bits to a signed integer that orders like the number, and back.
template <class Key>
Key key_of(Key bits) {
  constexpr int top = std::numeric_limits<Key>::digits;
  return static_cast<Key>(bits ^ static_cast<Key>((bits >> top) & std::numeric_limits<Key>::max()));
}

// Vectors of the compiler, as wide as the instruction set's; a comparison gives -1 in each lane that holds.
template <class Word, std::size_t bytes>
struct Lanes {
  using Key = std::make_signed_t<Word>;
  static constexpr std::size_t count = bytes / sizeof(Word);
  typedef Key Vector __attribute__((vector_size(bytes)));

  static constexpr Key highest = std::numeric_limits<Key>::max(), lowest = std::numeric_limits<Key>::min();
  // Of each lane. Magnitudes are never negative, so that signed comparisons order them.
  Vector zeros{}, nonfinite{}, low = Vector{} + highest, high = Vector{} + lowest, small = Vector{} + highest;
  Vector at_least[scan_limits]{};
};

template <class Word, std::size_t bytes>
[[gnu::always_inline]] inline void scan_block(const Word* data, std::size_t vectors, const ScanAsked<Word>& asked,
                                              Lanes<Word, bytes>& lanes) {
  using L = Lanes<Word, bytes>;
  using Key = typename L::Key;
  using Vector = typename L::Vector;
  constexpr int top = std::numeric_limits<Key>::digits;
  const Vector infinity = Vector{} + static_cast<Key>(asked.infinity);
  Vector limits[scan_limits];
  for (std::size_t k = 0; k < scan_limits; ++k) limits[k] = Vector{} + static_cast<Key>(asked.limits[k]);
  L at = lanes;  // kept in registers
  for (std::size_t i = 0; i < vectors; ++i) {
    Vector bits;
    std::memcpy(&bits, data + i * L::count, bytes);
    const Vector magnitude = bits & L::highest;
    const Vector key = bits ^ ((bits >> top) & L::highest);
    const Vector finite = magnitude < infinity, zero = magnitude == 0;
    at.zeros -= zero;
    at.nonfinite -= ~finite;
    const Vector below = (key & finite) | (~finite & L::highest);
    const Vector above = (key & finite) | (~finite & L::lowest);
    const Vector size = magnitude | (zero & L::highest);  // 0 is never the smallest
    at.low = below < at.low ? below : at.low;
    at.high = above > at.high ? above : at.high;
    at.small = size < at.small ? size : at.small;
    for (std::size_t k = 0; k < scan_limits; ++k) at.at_least[k] -= magnitude >= limits[k];
  }
  lanes = at;
}

// Takes the lanes' counters, which are as narrow as the elements, to the sums.
template <class Word, std::size_t bytes>
[[gnu::always_inline]] inline void collect(Lanes<Word, bytes>& lanes, ScanSums<Word>& sums) {
  const auto take = [](auto& counters) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < Lanes<Word, bytes>::count; ++i) sum += static_cast<Word>(counters[i]);
    counters = counters ^ counters;
    return sum;
  };
  sums.zeros += take(lanes.zeros);
  const std::uint64_t nonfinite = take(lanes.nonfinite);
  sums.nonfinite += nonfinite;
  for (std::size_t k = 0; k < scan_limits; ++k) sums.at_least[k] += take(lanes.at_least[k]) - nonfinite;
}

template <std::size_t bytes, class Word>
[[gnu::always_inline]] inline void scan_all(std::span<const Word> elements, const ScanAsked<Word>& asked,
                                            ScanSums<Word>& sums) {
  using L = Lanes<Word, bytes>;
  using Key = typename L::Key;
  constexpr std::size_t width = L::count;
  L lanes;
  const std::size_t before_finite = sums.count - sums.nonfinite, before_nonzero = before_finite - sums.zeros;
  std::size_t at = 0;
  while (elements.size() - at >= width) {
    const std::size_t vectors = std::min(block, (elements.size() - at) / width);
    scan_block(elements.data() + at, vectors, asked, lanes);
    collect(lanes, sums);
    at += vectors * width;
  }
  if (at < elements.size()) {  // the rest goes through one vector that is filled up with infinities
    std::array<Word, width> last;
    last.fill(asked.infinity);
    const std::size_t rest = elements.size() - at;
    std::copy_n(elements.data() + at, rest, last.data());
    scan_block(last.data(), 1, asked, lanes);
    collect(lanes, sums);
    sums.nonfinite -= width - rest;
  }
  sums.count += elements.size();
  Key low = before_finite > 0 ? key_of(static_cast<Key>(sums.least)) : L::highest;
  Key high = before_finite > 0 ? key_of(static_cast<Key>(sums.greatest)) : L::lowest;
  Key small = before_nonzero > 0 ? static_cast<Key>(sums.smallest) : L::highest;
  for (std::size_t i = 0; i < width; ++i) {
    low = std::min(low, static_cast<Key>(lanes.low[i]));
    high = std::max(high, static_cast<Key>(lanes.high[i]));
    small = std::min(small, static_cast<Key>(lanes.small[i]));
  }
  const bool finite = sums.count > sums.nonfinite, nonzero = sums.count > sums.nonfinite + sums.zeros;
  sums.least = finite ? static_cast<Word>(key_of(low)) : Word{0};  // its own inverse
  sums.greatest = finite ? static_cast<Word>(key_of(high)) : Word{0};
  sums.smallest = nonzero ? static_cast<Word>(small) : Word{0};
}

template <class Word>
void scan_baseline(std::span<const Word> elements, const ScanAsked<Word>& asked, ScanSums<Word>& sums) {
  scan_all<16>(elements, asked, sums);
}
#if defined(__x86_64__)
template <class Word>
[[gnu::target("avx2")]] void scan_avx2(std::span<const Word> elements, const ScanAsked<Word>& asked,
                                       ScanSums<Word>& sums) {
  scan_all<32>(elements, asked, sums);
}
#if defined(__clang__)
#define AEGIS_AVX512 "avx512f,avx512bw,avx512vl"
#else
#define AEGIS_AVX512 "avx512f,avx512bw,avx512vl,prefer-vector-width=512"  // which GCC alone asks for by name
#endif
template <class Word>
[[gnu::target(AEGIS_AVX512)]] void scan_avx512(std::span<const Word> elements, const ScanAsked<Word>& asked,
                                               ScanSums<Word>& sums) {
  scan_all<64>(elements, asked, sums);
}
#endif

}  // namespace

template <class Word>
std::span<const ScanVariant<Word>> scan_variants() {
  static const std::vector<ScanVariant<Word>> variants = [] {
    std::vector<ScanVariant<Word>> out{{"baseline", scan_baseline<Word>}};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) out.push_back({"avx2", scan_avx2<Word>});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
      out.push_back({"avx512", scan_avx512<Word>});
#endif
    return out;
  }();
  return variants;
}

template <class Word>
void scan(std::span<const Word> elements, const ScanAsked<Word>& asked, ScanSums<Word>& sums) {
  scan_variants<Word>().back().run(elements, asked, sums);
}

template std::span<const ScanVariant<std::uint32_t>> scan_variants();
template std::span<const ScanVariant<std::uint16_t>> scan_variants();
template void scan(std::span<const std::uint32_t>, const ScanAsked<std::uint32_t>&, ScanSums<std::uint32_t>&);
template void scan(std::span<const std::uint16_t>, const ScanAsked<std::uint16_t>&, ScanSums<std::uint16_t>&);

}  // namespace aegis
