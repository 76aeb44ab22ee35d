// The formulas of the time model, on plain numbers. Sources: NVIDIA's deep learning performance guides (roofline,
// tiles, waves, bytes), the cuBLAS documentation (alignment), arXiv 2401.14489 (quantisation of tiles and waves).
#pragma once

#include <cstdint>
#include <optional>

#include "ops/target.hpp"

namespace aegis {

// Predicted share of the aligned speed (0..1) of a GEMM whose contiguous row of `extent` elements takes `bytes_each`
// bytes an element. By the largest power of two that divides the row's bytes: read off published A100 measurements
// (cc < 9.0) and the few for later parts.
double alignment_efficiency(std::int64_t extent, double bytes_each, int cc);
// The pessimistic end for the same row: the chart's spread, or on cc >= 9.0 below 16 bytes the worst published case.
double pessimistic_efficiency(std::int64_t extent, double bytes_each, int cc);

struct WaveCount {
  Tile tile;
  double tiles = 0, waves = 0;
  double e_tile = 1, e_wave = 1, e_quant = 1;
};
// How output tiles of batch * m * n fill the multiprocessors, for the best of the target's tiles: an upper bound on the
// loss, since persistent and split-K kernels soften it.
WaveCount count_waves(std::int64_t batch, std::int64_t m, std::int64_t n, const Target& target);

// Smallest M at which an [M, K] x [K, N] product is compute-bound; nullopt when no M is.
std::optional<std::int64_t> smallest_compute_bound_m(std::int64_t n, std::int64_t k, double ridge, double bytes_each);

// Microseconds of arithmetic: FLOP over the reachable rate in that type. A type without a rate runs on CUDA cores.
double arithmetic_us(double flops, Compute compute, double efficiency, const Target& target);
// Microseconds to move bytes to and from device memory.
double memory_us(double bytes, const Target& target);

}  // namespace aegis
