// `conv` as a matrix product per image and group: W [filters, K] times the columns of the image [K, pixels] with
// K = (channel, kernel position) ascending. The columns are never stored: they are packed straight into the panels of
// multiply(). A position in the padding is a zero, whose product changes no bit of a finite sum.
//
// Transposed: W' [filters * kernel, channels] times the image gives what each input pixel adds to each output; an
// output element then gathers its terms in ascending kernel position.

#include <algorithm>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/pack.hpp"
#include "exec/kernels/cpu/spatial.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {
namespace {

std::int64_t volume(const Extent3& e) { return e[0] * e[1] * e[2]; }

using Widen = float (*)(const std::byte*, std::int64_t);

// B(p, j): p is (channel, kernel position), j an output pixel; `base` is the image's first element of the group.
template <Widen widen>
Pack image_columns(const Space& s, const std::byte* data, std::int64_t base) {
  return
      [=](std::int64_t first, std::int64_t count, std::int64_t k0, std::int64_t depth, float* to, std::int64_t width) {
        const std::int64_t positions = volume(s.kernel), plane = volume(s.in);
        for (std::int64_t p = 0; p < depth; ++p, to += width) {
          const std::int64_t channel = (k0 + p) / positions, position = (k0 + p) % positions;
          const Extent3 k{position / (s.kernel[1] * s.kernel[2]), position / s.kernel[2] % s.kernel[1],
                          position % s.kernel[2]};
          const std::int64_t image = base + channel * plane;
          std::int64_t o2 = first % s.out[2], o1 = first / s.out[2] % s.out[1], o0 = first / s.out[2] / s.out[1];
          std::int64_t j = 0;
          while (j < count) {  // one row of output pixels at a time
            const std::int64_t run = std::min(count - j, s.out[2] - o2);
            const std::int64_t i0 = o0 * s.stride[0] - s.pad[0] + k[0] * s.dilation[0];
            const std::int64_t i1 = o1 * s.stride[1] - s.pad[1] + k[1] * s.dilation[1];
            const std::int64_t i2 = o2 * s.stride[2] - s.pad[2] + k[2] * s.dilation[2];
            if (i0 < 0 || i0 >= s.in[0] || i1 < 0 || i1 >= s.in[1]) {
              std::fill(to + j, to + j + run, 0.0f);
            } else {
              const std::int64_t row = image + (i0 * s.in[1] + i1) * s.in[2];
              const std::int64_t step = s.stride[2];
              const std::int64_t begin = i2 >= 0 ? 0 : std::min(run, (-i2 + step - 1) / step);
              const std::int64_t end = std::clamp<std::int64_t>((s.in[2] - i2 + step - 1) / step, begin, run);
              std::fill(to + j, to + j + begin, 0.0f);
              for (std::int64_t r = begin; r < end; ++r) to[j + r] = widen(data, row + i2 + r * step);
              std::fill(to + j + end, to + j + run, 0.0f);
            }
            j += run;
            o2 = 0;
            if (++o1 == s.out[1]) {
              o1 = 0;
              ++o0;
            }
          }
          std::fill(to + count, to + width, 0.0f);
        }
      };
}

bool is_pointwise(const Space& s) {
  return volume(s.kernel) == 1 && volume(s.stride) == 1 && s.pad == Extent3{} && s.in == s.out;
}

void add_bias_and_store(const In& bias, std::int64_t channel, const float* sums, std::int64_t n, const Out& out,
                        std::int64_t first) {
  constexpr std::int64_t chunk = 256;
  float added = 0, result[chunk];
  if (bias) load(bias.type, bias.data, channel, 1, &added);
  for (std::int64_t j = 0; j < n; j += chunk) {
    const std::int64_t size = std::min(chunk, n - j);
    for (std::int64_t i = 0; i < size; ++i) result[i] = bias ? sums[j + i] + added : sums[j + i];
    store(out.type, result, size, out.data, first + j);
  }
}

// One image and one group.
void convolve(const ConvParams& p, const Space& s, Ins in, const Out& out, std::int64_t image, std::int64_t group,
              Parallel& parallel) {
  const In &x = in[0], &w = in[1];
  const In bias = in.size() > 2 ? in[2] : In{};
  const std::int64_t channels = p.channels / p.groups, filters = p.filters / p.groups;
  const std::int64_t pixels = volume(s.out), depth = channels * volume(s.kernel);
  const std::int64_t base = (image * p.channels + group * channels) * volume(s.in);
  const std::int64_t first = (image * p.filters + group * filters) * pixels;
  GemmJob job{.m = filters, .n = pixels, .k = depth};
  job.a = strided_pack(w.type, w.data, group * filters * depth, depth, 1);
  if (is_pointwise(s)) {
    job.b = strided_pack(x.type, x.data, base, 1, pixels);
    if (x.type == DType::f32) {
      job.b_rows = reinterpret_cast<const float*>(x.data) + base;
      job.b_stride = pixels;
    }
  } else if (x.type == DType::bf16) {
    job.b = image_columns<widen_bf16>(s, x.data, base);
  } else if (x.type == DType::f16) {
    job.b = image_columns<widen_f16>(s, x.data, base);
  } else {
    job.b = image_columns<widen_f32>(s, x.data, base);
  }
  std::vector<float> sums;
  if (out.type == DType::f32) {
    job.c = reinterpret_cast<float*>(out.data) + first;
  } else {
    sums.resize(static_cast<std::size_t>(filters * pixels));
    job.c = sums.data();
  }
  job.finish = [&](std::int64_t row, std::int64_t column, std::int64_t n) {
    add_bias_and_store(bias, group * filters + row, job.c + row * pixels + column, n, out,
                       first + row * pixels + column);
  };
  multiply(job, parallel);
}

void convolve_transposed(const ConvParams& p, const Space& s, Ins in, const Out& out, std::int64_t image,
                         std::int64_t group, Parallel& parallel) {
  const In &x = in[0], &w = in[1];
  const In bias = in.size() > 2 ? in[2] : In{};
  const std::int64_t channels = p.channels / p.groups, filters = p.filters / p.groups, positions = volume(s.kernel);
  const std::int64_t pixels = volume(s.in), outputs = volume(s.out);
  const std::int64_t base = (image * p.channels + group * channels) * pixels;
  std::vector<float> terms(static_cast<std::size_t>(filters * positions * pixels));
  GemmJob job{.m = filters * positions, .n = pixels, .k = channels};
  job.a = strided_pack(w.type, w.data, group * channels * filters * positions, 1, filters * positions);
  job.b = strided_pack(x.type, x.data, base, 1, pixels);
  job.c = terms.data();
  job.finish = [](std::int64_t, std::int64_t, std::int64_t) {};
  multiply(job, parallel);
  parallel.run(filters, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> plane(static_cast<std::size_t>(outputs));
    for (std::int64_t f = begin; f < end; ++f) {
      std::fill(plane.begin(), plane.end(), 0.0f);
      for (std::int64_t k = 0; k < positions; ++k) {
        const Extent3 at{k / (s.kernel[1] * s.kernel[2]), k / s.kernel[2] % s.kernel[1], k % s.kernel[2]};
        const float* term = terms.data() + (f * positions + k) * pixels;
        for (std::int64_t i0 = 0; i0 < s.in[0]; ++i0) {
          for (std::int64_t i1 = 0; i1 < s.in[1]; ++i1) {
            for (std::int64_t i2 = 0; i2 < s.in[2]; ++i2, ++term) {
              const std::int64_t o0 = i0 * s.stride[0] - s.pad[0] + at[0] * s.dilation[0];
              const std::int64_t o1 = i1 * s.stride[1] - s.pad[1] + at[1] * s.dilation[1];
              const std::int64_t o2 = i2 * s.stride[2] - s.pad[2] + at[2] * s.dilation[2];
              if (o0 < 0 || o0 >= s.out[0] || o1 < 0 || o1 >= s.out[1] || o2 < 0 || o2 >= s.out[2]) continue;
              plane[static_cast<std::size_t>((o0 * s.out[1] + o1) * s.out[2] + o2)] += *term;
            }
          }
        }
      }
      const std::int64_t channel = group * filters + f;
      add_bias_and_store(bias, channel, plane.data(), outputs, out, (image * p.filters + channel) * outputs);
    }
  });
}

// f64: the plain loops, in the same order.
void convolve_f64(const ConvParams& p, const Space& s, Ins in, const Out& out) {
  const In bias = in.size() > 2 ? in[2] : In{};
  const std::int64_t channels = p.channels / p.groups, filters = p.filters / p.groups, positions = volume(s.kernel);
  std::vector<double> x(static_cast<std::size_t>(count(in[0].dims))), w(static_cast<std::size_t>(count(in[1].dims)));
  load(in[0].type, in[0].data, 0, static_cast<std::int64_t>(x.size()), x.data());
  load(in[1].type, in[1].data, 0, static_cast<std::int64_t>(w.size()), w.data());
  std::vector<double> plane(static_cast<std::size_t>(volume(s.out)));
  const std::int64_t from_pixels = p.transposed ? volume(s.in) : volume(s.out);
  for (std::int64_t image = 0; image < p.batch; ++image) {
    for (std::int64_t f = 0; f < p.filters; ++f) {
      const std::int64_t group = f / filters;
      std::fill(plane.begin(), plane.end(), 0.0);
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t k = 0; k < positions; ++k) {
          const Extent3 at{k / (s.kernel[1] * s.kernel[2]), k / s.kernel[2] % s.kernel[1], k % s.kernel[2]};
          const std::int64_t channel = group * channels + c;
          const double weight = p.transposed
                                    ? w[static_cast<std::size_t>((channel * filters + f % filters) * positions + k)]
                                    : w[static_cast<std::size_t>((f * channels + c) * positions + k)];
          const double* pixels = x.data() + (image * p.channels + channel) * volume(s.in);
          const Extent3& walked = p.transposed ? s.in : s.out;
          const Extent3& other = p.transposed ? s.out : s.in;
          for (std::int64_t j = 0; j < from_pixels; ++j) {
            const Extent3 here{j / (walked[1] * walked[2]), j / walked[2] % walked[1], j % walked[2]};
            std::int64_t there = 0;
            bool inside = true;
            for (std::size_t a = 0; a < 3; ++a) {
              const std::int64_t i = here[a] * s.stride[a] - s.pad[a] + at[a] * s.dilation[a];
              inside = inside && i >= 0 && i < other[a];
              there = there * other[a] + i;
            }
            if (!inside) continue;
            plane[static_cast<std::size_t>(p.transposed ? there : j)] += weight * pixels[p.transposed ? j : there];
          }
        }
      }
      double added = 0;
      if (bias) load(bias.type, bias.data, f, 1, &added);
      for (double& value : plane) value += added;
      store(out.type, plane.data(), volume(s.out), out.data, (image * p.filters + f) * volume(s.out));
    }
  }
}

}  // namespace

Result<void> run(const ConvParams& p, Ins in, Outs out, Parallel& parallel) {
  const Space s = space(p);
  switch (compute_type(out[0].type)) {
    case Compute::f32: break;
    case Compute::f64: convolve_f64(p, s, in, out[0]); return {};
    default:
      return Error{Fault::validation, "", "a convolution of integers was asked for, only floats are handled", "", {}};
  }
  const auto one = p.transposed ? &convolve_transposed : &convolve;
  const std::int64_t tasks = p.batch * p.groups;
  if (tasks >= parallel.threads() && parallel.threads() > 1) {
    parallel.run(tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      Parallel alone(1);
      for (std::int64_t task = begin; task < end; ++task)
        one(p, s, in, out[0], task / p.groups, task % p.groups, alone);
    });
  } else {
    for (std::int64_t task = 0; task < tasks; ++task) one(p, s, in, out[0], task / p.groups, task % p.groups, parallel);
  }
  return {};
}

}  // namespace aegis::kernels
