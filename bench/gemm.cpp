// GFLOP/s of the f32 matrix product at n^3 for each instruction set of this processor: gemm_bench [n] [threads].
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "exec/kernels/cpu/gemm_tiles.hpp"
#include "exec/kernels/cpu/pack.hpp"

namespace {

using namespace aegis::kernels;

double best_seconds(std::int64_t n, Isa isa, aegis::Parallel& parallel) {
  const auto size = static_cast<std::size_t>(n * n);
  std::vector<float> a(size), b(size), c(size);
  for (std::size_t i = 0; i < size; ++i) {
    a[i] = static_cast<float>(i % 17) - 8.0f;
    b[i] = static_cast<float>(i % 13) - 6.0f;
  }
  double best = 1e30;
  for (int repeat = 0; repeat < 8; ++repeat) {
    std::fill(c.begin(), c.end(), 0.0f);
    GemmJob job{.m = n, .n = n, .k = n};
    job.a = strided_pack(aegis::DType::f32, reinterpret_cast<const std::byte*>(a.data()), 0, n, 1);
    job.b = strided_pack(aegis::DType::f32, reinterpret_cast<const std::byte*>(b.data()), 0, 1, n);
    job.c = c.data();
    job.finish = [](std::int64_t, std::int64_t, std::int64_t) {};
    job.isa = isa;
    const auto start = std::chrono::steady_clock::now();
    multiply(job, parallel);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::atoll(argv[1]) : 1024;
  aegis::Parallel parallel(argc > 2 ? std::atoi(argv[2]) : 1);
  const double flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  for (const Isa isa : {Isa::generic, Isa::avx2, Isa::avx512}) {
    if (isa > best_isa()) continue;
    const char* const names[] = {"generic", "avx2", "avx512"};
    std::printf("gemm f32 %lld^3 threads %d %s: %.1f GFLOP/s\n", static_cast<long long>(n), parallel.threads(),
                names[static_cast<int>(isa)], flops / best_seconds(n, isa, parallel) * 1e-9);
  }
}
