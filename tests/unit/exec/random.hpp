// Seeded numbers for tests: the same on every platform.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor.hpp"

namespace aegis::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::int64_t below(std::int64_t end) { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(end)); }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  double real(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(int percent) { return below(100) < percent; }

  Tensor tensor(DType type, std::vector<std::int64_t> dims, double low = -2, double high = 2) {
    std::vector<double> values(static_cast<std::size_t>(element_count(dims)));
    for (double& value : values) value = real(low, high);
    return from_doubles(type, std::move(dims), values);
  }

 private:
  std::uint64_t state_;
};

inline std::vector<double> doubles(const Tensor& tensor) { return *to_doubles(tensor); }
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.type == b.type && a.dims == b.dims && *a.data == *b.data;
}

}  // namespace aegis::test
