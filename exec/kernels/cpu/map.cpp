// `map`: the output is cut into blocks of 512 elements; each input's elements of a block are widened into a buffer of
// the compute type (broadcasting on the way), the element function runs over the buffers, and the block is rounded and
// stored. One piece of code thus serves every stored type, and the functions vectorise.

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/functors.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {

std::int64_t count(std::span<const std::int64_t> dims) {
  std::int64_t product = 1;
  for (const std::int64_t extent : dims) product *= extent;
  return product;
}

namespace {

constexpr std::int64_t block = 512, step = 16;
constexpr int max_inputs = 5;

template <class T>
using Function = void (*)(const functors::Constants<T>&, const T* const*, T*, std::int64_t);

// Runs over whole steps, so that vectors need no remainder: the buffers are long enough, and what lies past `count` is
// not stored.
template <class F, class T>
void over_block(const functors::Constants<T>& constants, const T* const* x, T* __restrict y, std::int64_t count) {
  const functors::Constants<T> c = constants;
  const std::int64_t n = (count + step - 1) / step * step;
  const auto loop = [&](auto value) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = value(i);
  };
  const T* const x0 = x[0];
  if constexpr (F::arity == 1) loop([&](std::int64_t i) { return F::of(c, x0[i]); });
  if constexpr (F::arity >= 2) {
    const T* const x1 = x[1];
    if constexpr (F::arity == 2) loop([&](std::int64_t i) { return F::of(c, x0[i], x1[i]); });
    if constexpr (F::arity == 3) loop([&, x2 = x[2]](std::int64_t i) { return F::of(c, x0[i], x1[i], x2[i]); });
    if constexpr (F::arity == 5)
      loop(
          [&, x2 = x[2], x3 = x[3], x4 = x[4]](std::int64_t i) { return F::of(c, x0[i], x1[i], x2[i], x3[i], x4[i]); });
  }
}

template <class F, class T>
constexpr Function<T> entry() {
  constexpr auto wanted = std::is_floating_point_v<T> ? functors::On::floats : functors::On::integers;
  if constexpr ((static_cast<int>(F::on) & static_cast<int>(wanted)) != 0) return &over_block<F, T>;
  return nullptr;
}
template <class T>
constexpr Function<T> functions[] = {
#define AEGIS_FN(name) entry<functors::name, T>(),
    AEGIS_MAP_FUNCTIONS(AEGIS_FN)
#undef AEGIS_FN
};
constexpr int arities[] = {
#define AEGIS_FN(name) functors::name::arity,
    AEGIS_MAP_FUNCTIONS(AEGIS_FN)
#undef AEGIS_FN
};

// How one input is walked: the output's axes, adjacent ones merged where every input allows it.
struct Walk {
  std::vector<std::int64_t> extent;                          // of the merged output axes
  std::array<std::vector<std::int64_t>, max_inputs> stride;  // per input, 0 where it broadcasts
};

Walk plan_walk(Ins in, std::span<const std::int64_t> out) {
  Walk walk;
  std::array<std::int64_t, max_inputs> dense{};
  dense.fill(1);
  for (std::size_t back = 0; back < out.size(); ++back) {  // from the innermost axis outwards
    const std::int64_t extent = out[out.size() - 1 - back];
    std::array<std::int64_t, max_inputs> stride{};
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::int64_t own = back < in[i].dims.size() ? in[i].dims[in[i].dims.size() - 1 - back] : 1;
      stride[i] = own == 1 ? 0 : dense[i];
      dense[i] *= own;
    }
    if (extent == 1) continue;
    bool merge = !walk.extent.empty();
    for (std::size_t i = 0; i < in.size() && merge; ++i)
      merge = stride[i] == walk.stride[i].back() * walk.extent.back();
    if (merge) {
      walk.extent.back() *= extent;
      continue;
    }
    walk.extent.push_back(extent);
    for (std::size_t i = 0; i < in.size(); ++i) walk.stride[i].push_back(stride[i]);
  }
  return walk;  // axes stand innermost first
}

// Widens the elements of `in` that belong to output elements first .. first + n - 1.
template <class T>
void gather_block(const In& in, const Walk& walk, const std::vector<std::int64_t>& stride, std::int64_t first,
                  std::int64_t n, T* to) {
  const std::size_t axes = walk.extent.size();
  std::array<std::int64_t, 64> at{};
  std::int64_t rest = first, offset = 0;
  for (std::size_t a = 0; a < axes; ++a) {
    at[a] = rest % walk.extent[a];
    rest /= walk.extent[a];
    offset += at[a] * stride[a];
  }
  for (std::int64_t done = 0; done < n;) {
    const std::int64_t run = std::min(walk.extent[0] - at[0], n - done);
    if (stride[0] == 0) {
      T value;
      load(in.type, in.data, offset, 1, &value);
      std::fill(to + done, to + done + run, value);
    } else {
      load(in.type, in.data, offset, run, to + done);
    }
    done += run;
    at[0] += run;
    offset += run * stride[0];
    for (std::size_t a = 0; a + 1 < axes && at[a] == walk.extent[a]; ++a) {
      offset += stride[a + 1] - at[a] * stride[a];
      at[a] = 0;
      ++at[a + 1];
    }
  }
}

template <class T>
void map_as(const MapParams& params, Ins in, const Out& out, Parallel& parallel) {
  const Function<T> function = functions<T>[static_cast<std::size_t>(params.fn)];
  functors::Constants<T> constants;
  for (std::size_t i = 0; i < 4; ++i) constants.p[i] = static_cast<T>(params.p[i]);
  const Walk walk = plan_walk(in, out.dims);
  const std::int64_t total = count(out.dims);
  parallel.run((total + block - 1) / block, 8, [&](std::int64_t begin, std::int64_t end) {
    T buffers[max_inputs][block] = {};
    alignas(64) T result[block];
    const T* inputs[max_inputs] = {};
    std::array<bool, max_inputs> fixed{};
    for (std::size_t i = 0; i < in.size(); ++i) {
      inputs[i] = buffers[i];
      fixed[i] = count(in[i].dims) == 1;
      if (fixed[i]) {
        T value;
        load(in[i].type, in[i].data, 0, 1, &value);
        std::fill(buffers[i], buffers[i] + block, value);
      }
    }
    for (std::int64_t b = begin; b < end; ++b) {
      const std::int64_t first = b * block, n = std::min(block, total - first);
      for (std::size_t i = 0; i < in.size(); ++i)
        if (!fixed[i]) gather_block(in[i], walk, walk.stride[i], first, n, buffers[i]);
      function(constants, inputs, result, n);
      if (params.fn == Fn::identity)
        store_cast(out.type, result, n, out.data, first, params.p[0] == 0);
      else
        store(out.type, result, n, out.data, first);
    }
  });
}

bool defined_on(Fn fn, Compute compute) {
  const auto at = static_cast<std::size_t>(fn);
  switch (compute) {
    case Compute::f32: return functions<float>[at] != nullptr;
    case Compute::f64: return functions<double>[at] != nullptr;
    case Compute::i64: return functions<std::int64_t>[at] != nullptr;
    case Compute::u64: return functions<std::uint64_t>[at] != nullptr;
  }
  return false;
}

}  // namespace

Result<void> run(const MapParams& params, Ins in, Outs out, Parallel& parallel) {
  const auto refuse = [&](const char* why) {
    return Error{Fault::validation,
                 "",
                 "cannot run on the cpu engine: element function " + std::string(name(params.fn)) + ": " + why,
                 "",
                 {}};
  };
  if (arities[static_cast<std::size_t>(params.fn)] != static_cast<int>(in.size()))
    return refuse("wrong number of operands");
  if (!defined_on(params.fn, params.compute)) return refuse("not defined for this element type");
  for (const In& operand : in) {
    if (!has_conversion(operand.type)) return refuse("an operand has a type without arithmetic");
    if (operand.dims.size() > out[0].dims.size()) return refuse("an operand has more axes than the result");
    for (std::size_t back = 1; back <= operand.dims.size(); ++back) {
      const std::int64_t own = operand.dims[operand.dims.size() - back];
      if (own != 1 && own != out[0].dims[out[0].dims.size() - back])
        return refuse("operands do not broadcast to the result");
    }
  }
  if (!has_conversion(out[0].type)) return refuse("the result has a type without arithmetic");
  if (out[0].dims.size() > 64) return refuse("rank above 64");
  switch (params.compute) {
    case Compute::f32: map_as<float>(params, in, out[0], parallel); break;
    case Compute::f64: map_as<double>(params, in, out[0], parallel); break;
    case Compute::i64: map_as<std::int64_t>(params, in, out[0], parallel); break;
    case Compute::u64: map_as<std::uint64_t>(params, in, out[0], parallel); break;
  }
  return {};
}

}  // namespace aegis::kernels
