// Each primitive against a naive oracle in double: random shapes, strides and broadcasts, with empty tensors and
// scalars.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "exec/kernels/kernel.hpp"
#include "ops/lower.hpp"
#include "random.hpp"

using namespace aegis;
using namespace aegis::test;

namespace {

using Index = std::vector<std::int64_t>;

// Calls f with every coordinate of a shape, in row-major order.
void each(const Dims& dims, const std::function<void(const Index&)>& f) {
  if (element_count(dims) == 0) return;
  Index at(dims.size(), 0);
  while (true) {
    f(at);
    std::size_t i = dims.size();
    while (i > 0 && ++at[i - 1] == dims[i - 1]) at[--i] = 0;
    if (i == 0) return;
  }
}
std::size_t flat(const Dims& dims, const Index& at) {
  std::int64_t i = 0;
  for (std::size_t a = 0; a < dims.size(); ++a) i = i * dims[a] + at[a];
  return static_cast<std::size_t>(i);
}

Dims shape(Random& random, int max_axes, std::int64_t max_extent, bool may_be_empty = true) {
  Dims dims;
  for (std::int64_t axes = random.between(0, max_axes); axes > 0; --axes)
    dims.push_back(may_be_empty && random.chance(3) ? 0 : random.between(1, max_extent));
  return dims;
}

template <class Params>
Tensor run_one(const Params& params, const std::vector<Tensor>& inputs, DType type, Dims dims) {
  Tensor out = Tensor::zeros(type, std::move(dims));
  if (out.data->empty()) out.data->resize(1);
  std::vector<kernels::In> in;
  for (const Tensor& tensor : inputs) {
    if (tensor.data->empty()) tensor.data->resize(1);
    in.push_back({tensor.type, tensor.dims, tensor.data->data()});
  }
  const kernels::Out to[] = {{type, out.dims, out.data->data()}};
  Parallel parallel(2);
  const auto done = kernels::run(params, in, to, parallel);
  if (!done) FAIL(done.error().message);
  return out;
}

// Within a few roundings of the stored type, on the scale of the terms.
bool close(const Tensor& got, const std::vector<double>& wanted, double scale = 1) {
  const auto values = doubles(got);
  const double unit = got.type == DType::bf16  ? 0x1p-8
                      : got.type == DType::f16 ? 0x1p-10
                      : got.type == DType::f32 ? 0x1p-20
                                               : 1e-12;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(values[i] - wanted[i]) <= unit * (std::abs(wanted[i]) + scale))) return false;
  return true;
}

const DType float_types[] = {DType::f32, DType::bf16, DType::f16, DType::f64};

}  // namespace

TEST_CASE("map broadcasts from the right and rounds once") {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    const Dims dims = shape(random, 5, 6);
    const auto operand = [&] {
      Dims own(dims.begin() + (dims.empty() ? 0 : random.between(0, static_cast<std::int64_t>(dims.size()))),
               dims.end());
      for (std::int64_t& extent : own)
        if (random.chance(30)) extent = 1;
      return own;
    };
    const DType type = float_types[round % 4];
    const Tensor x = random.tensor(type, operand()), y = random.tensor(type, operand());
    const Fn fns[] = {Fn::add, Fn::sub, Fn::mul, Fn::max, Fn::min, Fn::less};
    const Fn fn = fns[random.below(6)];
    const Compute compute = type == DType::f64 ? Compute::f64 : Compute::f32;
    const Tensor out =
        run_one(MapParams{.fn = fn, .compute = compute}, {x, y}, fn == Fn::less ? DType::boolean : type, dims);
    const auto a = doubles(x), b = doubles(y);
    std::vector<double> wanted;
    each(dims, [&](const Index& at) {
      const auto value = [&](const Tensor& t, const std::vector<double>& values) {
        Index own(at.end() - static_cast<std::ptrdiff_t>(t.dims.size()), at.end());
        for (std::size_t i = 0; i < own.size(); ++i)
          if (t.dims[i] == 1) own[i] = 0;
        return values[flat(t.dims, own)];
      };
      const double p = value(x, a), q = value(y, b);
      wanted.push_back(fn == Fn::add   ? p + q
                       : fn == Fn::sub ? p - q
                       : fn == Fn::mul ? p * q
                       : fn == Fn::max ? std::max(p, q)
                       : fn == Fn::min ? std::min(p, q)
                                       : p < q);
    });
    // One operation on exact operands, rounded once: the nearest value of the type (products of doubles are not exact).
    INFO("round " << round << " fn " << name(fn));
    if (type == DType::f64)
      CHECK(doubles(out) == wanted);
    else if (!wanted.empty())
      CHECK(same_bits(out, from_doubles(out.type, dims, wanted)));
  }
}

TEST_CASE("copynd permutes, reverses, repeats and fills parts") {
  Random random(12);
  for (int round = 0; round < 200; ++round) {
    const Dims dims = shape(random, 5, 5);
    const DType types[] = {DType::f32, DType::bf16, DType::f64, DType::u8};
    const Tensor x = random.tensor(types[round % 4], dims, 0, 100);
    Index permutation(dims.size());
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t i = permutation.size(); i > 1; --i)
      std::swap(permutation[i - 1], permutation[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
    Dims out_dims;
    for (const std::int64_t axis : permutation) out_dims.push_back(dims[static_cast<std::size_t>(axis)]);
    const Dims in_step = strides(dims), out_step = strides(out_dims);
    CopyParams copy{.rank = static_cast<int>(dims.size())};
    std::vector<bool> reversed;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const auto from = static_cast<std::size_t>(permutation[i]);
      reversed.push_back(random.chance(30));
      copy.extent[i] = out_dims[i];
      copy.in_stride[i] = reversed[i] ? -in_step[from] : in_step[from];
      copy.in_offset += reversed[i] && dims[from] > 0 ? (dims[from] - 1) * in_step[from] : 0;
      copy.out_stride[i] = out_step[i];
    }
    const Tensor out = run_one(copy, {x}, x.type, out_dims);
    const auto a = doubles(x);
    std::vector<double> wanted;
    each(out_dims, [&](const Index& at) {
      Index from(dims.size());
      for (std::size_t i = 0; i < dims.size(); ++i)
        from[static_cast<std::size_t>(permutation[i])] = reversed[i] ? out_dims[i] - 1 - at[i] : at[i];
      wanted.push_back(a[flat(dims, from)]);
    });
    INFO("round " << round);
    CHECK(doubles(out) == wanted);
  }
}

TEST_CASE("gather takes slices, counts negative indices from the end and refuses others") {
  Random random(13);
  for (int round = 0; round < 100; ++round) {
    Dims dims = shape(random, 4, 5, false);
    if (dims.empty()) dims = {3};
    const auto axis = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(dims.size())));
    const Tensor data = random.tensor(DType::f32, dims);
    const Dims picks = shape(random, 2, 4);
    Index chosen;
    for (std::int64_t i = 0; i < element_count(picks); ++i)
      chosen.push_back(random.between(-dims[axis], dims[axis] - 1));
    Dims out_dims(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis));
    out_dims.insert(out_dims.end(), picks.begin(), picks.end());
    out_dims.insert(out_dims.end(), dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end());
    const Tensor out = run_one(GatherParams{.axis = static_cast<int>(axis)}, {data, from_integers(picks, chosen)},
                               DType::f32, out_dims);
    const auto a = doubles(data);
    std::vector<double> wanted;
    each(out_dims, [&](const Index& at) {
      const Index pick(at.begin() + static_cast<std::ptrdiff_t>(axis),
                       at.begin() + static_cast<std::ptrdiff_t>(axis + picks.size()));
      Index from(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(axis));
      const std::int64_t index = chosen[flat(picks, pick)];
      from.push_back(index < 0 ? index + dims[axis] : index);
      from.insert(from.end(), at.begin() + static_cast<std::ptrdiff_t>(axis + picks.size()), at.end());
      wanted.push_back(a[flat(dims, from)]);
    });
    CHECK(doubles(out) == wanted);
  }
  const Tensor data = Tensor::zeros(DType::f32, {4}), index = from_integers({1}, std::vector<std::int64_t>{-5});
  float value = 0;
  const Dims one{1};
  const kernels::In in[] = {{DType::f32, data.dims, data.data->data()}, {DType::i64, index.dims, index.data->data()}};
  const kernels::Out out[] = {{DType::f32, one, reinterpret_cast<std::byte*>(&value)}};
  Parallel alone(1);
  CHECK_FALSE(kernels::run(GatherParams{}, in, out, alone));
}

TEST_CASE("reduce folds any set of axes") {
  Random random(14);
  using Kind = ReduceParams::Kind;
  const Kind kinds[] = {Kind::sum, Kind::mean, Kind::max,        Kind::min,        Kind::prod,
                        Kind::l1,  Kind::l2,   Kind::sum_square, Kind::log_sum_exp};
  for (int round = 0; round < 300; ++round) {
    const Kind kind = kinds[round % 9];
    const DType type = float_types[random.below(4)];
    const Dims dims =
        round % 5 == 0 ? Dims{random.between(1, 300), random.between(1, 20)} : shape(random, 5, 7, kind == Kind::sum);
    const auto axes = static_cast<std::uint32_t>(random.below(std::int64_t{1} << dims.size()));
    Dims kept = dims;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if ((axes >> i) & 1u) kept[i] = 1;
    const Tensor x = random.tensor(type, dims, kind == Kind::prod ? 0.8 : -2, kind == Kind::prod ? 1.2 : 2);
    const Tensor out = run_one(ReduceParams{.kind = kind, .axes = axes}, {x}, type, kept);
    const auto a = doubles(x);
    const auto n = static_cast<std::size_t>(element_count(kept));
    std::vector<double> wanted(n, kind == Kind::prod  ? 1
                                  : kind == Kind::max ? -INFINITY
                                  : kind == Kind::min ? INFINITY
                                                      : 0),
        count(n), size(n);
    each(dims, [&](const Index& at) {
      Index to = at;
      for (std::size_t i = 0; i < dims.size(); ++i)
        if ((axes >> i) & 1u) to[i] = 0;
      double& w = wanted[flat(kept, to)];
      const double v = a[flat(dims, at)];
      ++count[flat(kept, to)];
      size[flat(kept, to)] += std::abs(v);
      switch (kind) {
        case Kind::max: w = std::max(w, v); break;
        case Kind::min: w = std::min(w, v); break;
        case Kind::prod: w *= v; break;
        case Kind::l1: w += std::abs(v); break;
        case Kind::l2:
        case Kind::sum_square: w += v * v; break;
        case Kind::log_sum_exp: w += std::exp(v); break;
        default: w += v; break;
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      if (kind == Kind::mean) wanted[i] /= count[i];
      if (kind == Kind::l2) wanted[i] = std::sqrt(wanted[i]);
      if (kind == Kind::log_sum_exp) wanted[i] = std::log(wanted[i]);
    }
    INFO("round " << round << " kind " << static_cast<int>(kind) << " axes " << axes);
    CHECK(close(out, wanted, std::accumulate(size.begin(), size.end(), 1.0) / static_cast<double>(n + 1)));
  }
}

TEST_CASE("a reduction gives the same bits by rows and by columns, and zeros at the end change none") {
  Random random(15);
  for (int round = 0; round < 40; ++round) {
    const std::int64_t n = random.between(1, 500), columns = random.between(1, 40);
    const Tensor x = random.tensor(DType::f32, {n, columns});
    Tensor turned = Tensor::zeros(DType::f32, {columns, n}), longer = Tensor::zeros(DType::f32, {columns, n + 7});
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t c = 0; c < columns; ++c) {
        turned.as_mutable<float>()[c * n + i] = x.as<float>()[i * columns + c];
        longer.as_mutable<float>()[c * (n + 7) + i] = x.as<float>()[i * columns + c];
      }
    const Tensor down = run_one(ReduceParams{.axes = 1}, {x}, DType::f32, {columns});
    CHECK(same_bits(down, run_one(ReduceParams{.axes = 2}, {turned}, DType::f32, {columns})));
    CHECK(same_bits(down, run_one(ReduceParams{.axes = 2}, {longer}, DType::f32, {columns})));
  }
}

TEST_CASE("softmax and layer normalisation follow their formulas") {
  Random random(16);
  for (int round = 0; round < 120; ++round) {
    const std::int64_t outer = random.between(1, 5), length = random.between(1, 200), inner = random.between(1, 4);
    const DType type = float_types[round % 4];
    const bool softmax = round % 2 == 0;
    const Tensor x = random.tensor(type, {outer, length, inner}), scale = random.tensor(type, {length}),
                 bias = random.tensor(type, {length});
    RowNormParams p{.kind = softmax ? RowNormParams::Kind::softmax : RowNormParams::Kind::layer,
                    .outer = outer,
                    .length = length,
                    .inner = inner};
    p.epsilon = 1e-5;
    p.channels = length;
    const Tensor out = softmax ? run_one(p, {x}, type, x.dims) : run_one(p, {x, scale, bias}, type, x.dims);
    const auto a = doubles(x), s = doubles(scale), b = doubles(bias);
    std::vector<double> wanted(a.size());
    for (std::int64_t o = 0; o < outer; ++o)
      for (std::int64_t i = 0; i < inner; ++i) {
        const auto at = [&](std::int64_t e) { return static_cast<std::size_t>((o * length + e) * inner + i); };
        double total = 0, mean = 0, variance = 0;
        for (std::int64_t e = 0; e < length; ++e) {
          total += std::exp(a[at(e)]);
          mean += a[at(e)] / static_cast<double>(length);
        }
        for (std::int64_t e = 0; e < length; ++e)
          variance += (a[at(e)] - mean) * (a[at(e)] - mean) / static_cast<double>(length);
        for (std::int64_t e = 0; e < length; ++e)
          wanted[at(e)] = softmax ? std::exp(a[at(e)]) / total
                                  : (a[at(e)] - mean) / std::sqrt(variance + 1e-5) * s[static_cast<std::size_t>(e)] +
                                        b[static_cast<std::size_t>(e)];
      }
    INFO("round " << round);
    // A row of one element has no deviation of its own: its normalised value is noise over epsilon.
    if (softmax || length > 1) CHECK(close(out, wanted, softmax ? 0 : 2));
  }
}

TEST_CASE("convolutions with strides, dilation, padding and groups follow the definition") {
  Random random(17);
  for (int round = 0; round < 120; ++round) {
    ConvParams p{.transposed = round % 3 == 2, .spatial = static_cast<int>(random.between(1, 3))};
    p.batch = random.between(1, 2);
    p.groups = random.between(1, 3);
    p.channels = p.groups * random.between(1, 3);
    p.filters = p.groups * random.between(1, 3);
    Dims x_dims{p.batch, p.channels}, y_dims{p.batch, p.filters};
    Dims w_dims = p.transposed ? Dims{p.channels, p.filters / p.groups} : Dims{p.filters, p.channels / p.groups};
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.spatial); ++i) {
      p.kernel[i] = random.between(1, 3);
      p.stride[i] = random.between(1, 3);
      p.dilation[i] = random.between(1, 2);
      p.pad[i] = random.between(0, 2);
      p.in[i] = random.between(5, 9);
      const std::int64_t reach = (p.kernel[i] - 1) * p.dilation[i] + 1;
      p.out[i] = p.transposed ? std::max<std::int64_t>(1, (p.in[i] - 1) * p.stride[i] + reach - 2 * p.pad[i])
                              : (p.in[i] + 2 * p.pad[i] - reach) / p.stride[i] + 1;
      x_dims.push_back(p.in[i]);
      w_dims.push_back(p.kernel[i]);
      y_dims.push_back(p.out[i]);
    }
    const DType type = float_types[random.below(4)];
    const Tensor x = random.tensor(type, x_dims), w = random.tensor(type, w_dims),
                 bias = random.tensor(type, {p.filters});
    const Tensor out = run_one(p, {x, w, bias}, type, y_dims);
    const auto a = doubles(x), b = doubles(w), c = doubles(bias);
    std::vector<double> wanted(static_cast<std::size_t>(element_count(y_dims)));
    each(y_dims, [&](const Index& at) { wanted[flat(y_dims, at)] = c[static_cast<std::size_t>(at[1])]; });
    const std::int64_t filters = p.filters / p.groups, channels = p.channels / p.groups;
    const Dims walked(p.transposed ? x_dims.begin() + 2 : y_dims.begin() + 2,
                      p.transposed ? x_dims.end() : y_dims.end());
    const Dims kernel(w_dims.begin() + 2, w_dims.end());
    for (std::int64_t n = 0; n < p.batch; ++n)
      for (std::int64_t f = 0; f < p.filters; ++f)
        for (std::int64_t ch = 0; ch < channels; ++ch)
          each(walked, [&](const Index& here) {
            each(kernel, [&](const Index& k) {
              Index from{n, f / filters * channels + ch}, to{n, f};
              for (std::size_t i = 0; i < kernel.size(); ++i) {
                const std::int64_t there = here[i] * p.stride[i] - p.pad[i] + k[i] * p.dilation[i];
                if (there < 0 || there >= (p.transposed ? p.out[i] : p.in[i])) return;
                from.push_back(p.transposed ? here[i] : there);
                to.push_back(p.transposed ? there : here[i]);
              }
              Index tap = p.transposed ? Index{from[1], f % filters} : Index{f, ch};
              tap.insert(tap.end(), k.begin(), k.end());
              wanted[flat(y_dims, to)] += a[flat(x_dims, from)] * b[flat(w_dims, tap)];
            });
          });
    INFO("round " << round << (p.transposed ? " transposed" : ""));
    CHECK(close(out, wanted, 4));
  }
}

TEST_CASE("pools look at their window only") {
  Random random(18);
  for (int round = 0; round < 100; ++round) {
    PoolParams p{.kind = round % 2 ? PoolParams::Kind::max : PoolParams::Kind::average, .spatial = 2, .planes = 2};
    p.include_pad = random.chance(50);
    for (std::size_t i = 0; i < 2; ++i) {
      p.kernel[i] = random.between(1, 3);
      p.stride[i] = random.between(1, 3);
      p.dilation[i] = random.between(1, 2);
      p.pad[i] = p.pad_end[i] = random.between(0, p.kernel[i] - 1);
      p.in[i] = random.between(6, 9);
      p.out[i] = (p.in[i] + 2 * p.pad[i] - (p.kernel[i] - 1) * p.dilation[i] - 1) / p.stride[i] + 1;
    }
    const DType type = float_types[random.below(4)];
    const Dims x_dims{2, p.in[0], p.in[1]}, y_dims{2, p.out[0], p.out[1]};
    const Tensor x = random.tensor(type, x_dims);
    const Tensor out = run_one(p, {x}, type, y_dims);
    const auto a = doubles(x);
    std::vector<double> wanted;
    each(y_dims, [&](const Index& at) {
      double sum = 0, most = -INFINITY, taken = 0;
      each({p.kernel[0], p.kernel[1]}, [&](const Index& k) {
        Index from{at[0]};
        for (std::size_t i = 0; i < 2; ++i) {
          from.push_back(at[i + 1] * p.stride[i] - p.pad[i] + k[i] * p.dilation[i]);
          if (from[i + 1] < 0 || from[i + 1] >= p.in[i]) return;
        }
        const double v = a[flat(x_dims, from)];
        sum += v;
        most = std::max(most, v);
        ++taken;
      });
      wanted.push_back(p.kind == PoolParams::Kind::max
                           ? most
                           : sum / (p.include_pad ? static_cast<double>(p.kernel[0] * p.kernel[1]) : taken));
    });
    INFO("round " << round);
    CHECK(close(out, wanted));
  }
}

TEST_CASE("scan adds up and sort keeps the order of equal elements") {
  Random random(19);
  for (int round = 0; round < 60; ++round) {
    const Dims dims{random.between(1, 4), random.between(1, 9), random.between(1, 4)};
    const Tensor x = random.tensor(DType::i32, dims, 0, 4);
    const bool exclusive = random.chance(50), reverse = random.chance(50);
    const auto sums =
        doubles(run_one(ScanParams{.axis = 1, .exclusive = exclusive, .reverse = reverse}, {x}, DType::i32, dims));
    const auto a = doubles(x);
    each(dims, [&](const Index& at) {
      double wanted = 0;
      for (std::int64_t i = 0; i < dims[1]; ++i) {
        const bool before = reverse ? i > at[1] : i < at[1];
        if (before || (i == at[1] && !exclusive)) wanted += a[flat(dims, {at[0], i, at[2]})];
      }
      CHECK(sums[flat(dims, at)] == wanted);
    });
    const std::int64_t k = random.between(1, dims[1]);
    const bool largest = random.chance(50);
    Tensor values = Tensor::zeros(DType::i32, {dims[0], k, dims[2]}), places = Tensor::zeros(DType::i64, values.dims);
    const kernels::In in[] = {{x.type, x.dims, x.data->data()}};
    const kernels::Out out[] = {{values.type, values.dims, values.data->data()},
                                {places.type, places.dims, places.data->data()}};
    Parallel parallel(2);
    REQUIRE(kernels::run(SortParams{.axis = 1, .largest = largest}, in, out, parallel));
    const auto v = doubles(values), i = doubles(places);
    each(values.dims, [&](const Index& at) {
      const std::size_t here = flat(values.dims, at);
      CHECK(v[here] == a[flat(dims, {at[0], static_cast<std::int64_t>(i[here]), at[2]})]);
      if (at[1] == 0) return;
      const std::size_t above = flat(values.dims, {at[0], at[1] - 1, at[2]});
      CHECK((largest ? v[above] >= v[here] : v[above] <= v[here]));
      if (v[above] == v[here]) CHECK(i[above] < i[here]);
    });
  }
}
