// Counter-based random numbers: element i of a stream is a function of (seed, name, i) alone, so that made-up inputs do
// not depend on their order, on the engine or on threads. No call into libm: the bits are the same everywhere.
//
// The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014),
// whose state is a counter times a constant and can therefore be entered at any place.
#pragma once

#include <cstdint>
#include <string_view>

namespace aegis {

class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    key_ = mix(hash + mix(seed));
  }

  std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * 0x9e3779b97f4a7c15u); }
  // In [0, 1), a multiple of 2^-24: exact in f32.
  double uniform(std::uint64_t i) const { return static_cast<double>(bits(i) >> 40) * 0x1p-24; }
  // In [low, high).
  std::int64_t integer(std::uint64_t i, std::int64_t low, std::int64_t high) const {
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + (span == 0 ? bits(i) : bits(i) % span));
  }
  // Mean 0, variance 1, within +-6: the sum of twelve uniform 16-bit numbers (Irwin and Hall), a multiple of 2^-17.
  double normal(std::uint64_t i) const {
    std::uint64_t sum = 0;
    for (std::uint64_t part = 0; part < 3; ++part) {
      const std::uint64_t word = bits(i * 3 + part);
      sum += (word & 0xffff) + (word >> 16 & 0xffff) + (word >> 32 & 0xffff) + (word >> 48);
    }
    return (static_cast<double>(sum) - 6 * 65535.0) * 0x1p-16;
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t key_ = 0;
};

}  // namespace aegis
