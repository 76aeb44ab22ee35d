#include "ops/cost/formulas.hpp"

#include <algorithm>
#include <cmath>

namespace aegis {
namespace {

// The largest power of two that divides the row's bytes, at most 128.
double divisor_bytes(std::int64_t extent, double bytes_each) {
  const double bytes = static_cast<double>(extent) * bytes_each;
  double power = 128;
  while (power > 1 && std::fmod(bytes, power) != 0) power /= 2;
  return power;
}

}  // namespace

double alignment_efficiency(std::int64_t extent, double bytes_each, int cc) {
  const double v = divisor_bytes(extent, bytes_each);
  if (v >= 64) return 1;
  if (cc >= 90) return v >= 32 ? 0.98 : v >= 16 ? 0.95 : 0.50;
  return v >= 32 ? 0.96 : v >= 16 ? 0.84 : v >= 8 ? 0.66 : v >= 4 ? 0.52 : 0.33;
}

double pessimistic_efficiency(std::int64_t extent, double bytes_each, int cc) {
  if (cc >= 90 && divisor_bytes(extent, bytes_each) < 16) return 0.15;
  return 0.9 * alignment_efficiency(extent, bytes_each, cc);
}

WaveCount count_waves(std::int64_t batch, std::int64_t m, std::int64_t n, const Target& target) {
  WaveCount best;
  best.e_quant = -1;
  const double blocks = static_cast<double>(target.sm_count) * target.blocks_per_sm;
  for (const Tile& tile : target.tiles) {
    WaveCount now{.tile = tile};
    now.tiles = std::ceil(static_cast<double>(m) / static_cast<double>(tile.m)) *
                std::ceil(static_cast<double>(n) / static_cast<double>(tile.n)) * static_cast<double>(batch);
    now.waves = std::ceil(now.tiles / blocks);
    if (now.tiles > 0) {
      const double work = static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n);
      now.e_tile = work / (now.tiles * static_cast<double>(tile.m) * static_cast<double>(tile.n));
      now.e_wave = now.tiles / (now.waves * blocks);
      now.e_quant = now.e_tile * now.e_wave;
    }
    if (now.e_quant > best.e_quant) best = now;
  }
  if (best.e_quant <= 0) best.e_quant = 1;
  return best;
}

std::optional<std::int64_t> smallest_compute_bound_m(std::int64_t n, std::int64_t k, double ridge, double bytes_each) {
  const double q = ridge * bytes_each / 2, area = static_cast<double>(n) * static_cast<double>(k);
  const double edge = q * (static_cast<double>(n) + static_cast<double>(k));
  if (area <= edge) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(q * area / (area - edge)));
}

double arithmetic_us(double flops, Compute compute, double efficiency, const Target& target) {
  const Rate* rate = target.rate(compute);
  if (!rate) rate = target.rate(AEGIS_DTYPE_FLOAT);
  if (flops == 0 || !rate) return 0;
  return flops / (rate->tflops * 1e6 * rate->ceiling * efficiency);
}

double memory_us(double bytes, const Target& target) {
  return bytes / (target.mem_bw_gbs * 1e3 * target.bandwidth_fraction);
}

}  // namespace aegis
