// The matrix product has the bits of the naive triple loop, on every instruction set, with any number of threads, and
// zero padding changes none of them.
#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "exec/kernels/cpu/pack.hpp"
#include "exec/kernels/gemm.hpp"
#include "exec/kernels/kernel.hpp"
#include "random.hpp"

using namespace aegis;
using namespace aegis::test;

namespace {

std::vector<float> floats(const Tensor& tensor) {
  std::vector<float> values;
  for (const double value : doubles(tensor)) values.push_back(static_cast<float>(value));
  return values;
}

// Multiplied, then added, in ascending k: what the contract says.
std::vector<float> naive(const std::vector<float>& a, const std::vector<float>& b, std::int64_t m, std::int64_t n,
                         std::int64_t k) {
  std::vector<float> c(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t p = 0; p < k; ++p) {
        const float product = a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
        sum = sum + product;
      }
      c[static_cast<std::size_t>(i * n + j)] = sum;
    }
  return c;
}

std::vector<float> numbers(Random& random, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random.real(-3, 3));
  return values;
}

const std::byte* bytes(const std::vector<float>& values) { return reinterpret_cast<const std::byte*>(values.data()); }

std::vector<float> product(const std::vector<float>& a, const std::vector<float>& b, std::int64_t m, std::int64_t n,
                           std::int64_t k, kernels::Isa isa, int threads) {
  std::vector<float> c(static_cast<std::size_t>(m * n));
  kernels::GemmJob job{.m = m, .n = n, .k = k};
  job.a = kernels::strided_pack(DType::f32, bytes(a), 0, k, 1);
  job.b = kernels::strided_pack(DType::f32, bytes(b), 0, 1, n);
  job.b_rows = b.data();
  job.b_stride = n;
  job.c = c.data();
  job.finish = [](std::int64_t, std::int64_t, std::int64_t) {};
  job.isa = isa;
  Parallel parallel(threads);
  kernels::multiply(job, parallel);
  return c;
}

bool equal_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("every instruction set and thread count gives the bits of the triple loop") {
  const std::int64_t sizes[][3] = {{1, 1, 1},     {1, 257, 300}, {3, 31, 513},    {4, 64, 64},   {5, 33, 7},
                                   {13, 40, 256}, {72, 96, 257}, {130, 1030, 20}, {12, 32, 600}, {2, 3, 0}};
  Random random(1);
  for (const auto& [m, n, k] : sizes) {
    const auto a = numbers(random, m * k), b = numbers(random, k * n), expected = naive(a, b, m, n, k);
    for (const kernels::Isa isa : {kernels::Isa::generic, kernels::Isa::avx2, kernels::Isa::avx512}) {
      if (isa > kernels::best_isa()) continue;
      for (const int threads : {1, 3}) {
        INFO(m << " x " << n << " x " << k << " isa " << static_cast<int>(isa) << " threads " << threads);
        CHECK(equal_bits(product(a, b, m, n, k, isa, threads), expected));
      }
    }
  }
}

TEST_CASE("zero padding of every dimension leaves the real elements' bits") {
  Random random(2);
  const std::int64_t m = 7, n = 19, k = 37, wide_m = 8, wide_n = 24, wide_k = 40;
  const auto a = numbers(random, m * k), b = numbers(random, k * n);
  std::vector<float> wide_a(static_cast<std::size_t>(wide_m * wide_k)),
      wide_b(static_cast<std::size_t>(wide_k * wide_n));
  for (std::int64_t i = 0; i < m; ++i) std::copy_n(a.begin() + i * k, k, wide_a.begin() + i * wide_k);
  for (std::int64_t p = 0; p < k; ++p) std::copy_n(b.begin() + p * n, n, wide_b.begin() + p * wide_n);
  const auto small = product(a, b, m, n, k, kernels::best_isa(), 1);
  const auto wide = product(wide_a, wide_b, wide_m, wide_n, wide_k, kernels::best_isa(), 1);
  for (std::int64_t i = 0; i < m; ++i)
    CHECK(std::memcmp(small.data() + i * n, wide.data() + i * wide_n, static_cast<std::size_t>(n) * sizeof(float)) ==
          0);
}

TEST_CASE("transposed, batched and biased products equal the triple loop, rounded once to the stored type") {
  Random random(3);
  Parallel parallel(2);
  for (int round = 0; round < 60; ++round) {
    const DType types[] = {DType::f32, DType::bf16, DType::f16};
    const DType type = types[round % 3];
    const std::int64_t m = random.between(1, 20), n = random.between(1, 70), k = random.between(1, 300),
                       batch = random.between(1, 3);
    GemmParams g{.m = m, .n = n, .k = k};
    g.trans_a = random.chance(50);
    g.trans_b = random.chance(50);
    g.batch_rank = 1;
    g.batch[0] = batch;
    g.a_stride[0] = m * k;
    const bool shared_b = random.chance(50);
    g.b_stride[0] = shared_b ? 0 : k * n;
    g.bias_column_stride = 1;
    const Tensor a = random.tensor(type, g.trans_a ? std::vector{batch, k, m} : std::vector{batch, m, k});
    const Tensor b = random.tensor(type, {shared_b ? 1 : batch, g.trans_b ? n : k, g.trans_b ? k : n});
    const Tensor bias = random.tensor(type, {n});
    const auto x = floats(a), y = floats(b), z = floats(bias);
    std::vector<double> expected;
    for (std::int64_t s = 0; s < batch; ++s)
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (std::int64_t p = 0; p < k; ++p) {
            const float left = x[static_cast<std::size_t>(s * m * k + (g.trans_a ? p * m + i : i * k + p))];
            const float right =
                y[static_cast<std::size_t>((shared_b ? 0 : s * k * n) + (g.trans_b ? j * k + p : p * n + j))];
            const float term = left * right;
            sum = sum + term;
          }
          expected.push_back(static_cast<double>(sum + z[static_cast<std::size_t>(j)]));
        }
    const Tensor wanted = from_doubles(type, {batch, m, n}, expected);
    Tensor out = Tensor::zeros(type, {batch, m, n});
    const kernels::In in[] = {
        {type, a.dims, a.data->data()}, {type, b.dims, b.data->data()}, {type, bias.dims, bias.data->data()}};
    const kernels::Out to[] = {{type, out.dims, out.data->data()}};
    REQUIRE(kernels::run(g, in, to, parallel));
    INFO("round " << round);
    CHECK(same_bits(out, wanted));
  }
}
