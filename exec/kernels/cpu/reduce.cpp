// `reduce`: the reduced axes become a list of offsets in row-major order. Where the innermost axis is reduced, a row is
// gathered into a buffer and folded; where it is kept, 16 neighbouring columns are folded side by side, each with the
// lanes and the tree of lanes.hpp, so both ways give the same bits.

#include <limits>
#include <type_traits>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/indices.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/lanes.hpp"

namespace aegis::kernels {
namespace {

using Kind = ReduceParams::Kind;
constexpr std::int64_t columns = 16;

struct Layout {
  std::vector<std::int64_t> reduced;  // offsets of the reduced elements, in order
  std::vector<std::int64_t> kept;     // offset of the first element of each run of kept elements
  std::int64_t run = 1;               // kept neighbours per entry of `kept`
  std::int64_t contiguous = 1;        // reduced neighbours per step of `reduced`
};

Layout lay_out(std::span<const std::int64_t> dims, std::uint32_t axes) {
  const std::vector<std::int64_t> stride = row_major(dims);
  const auto is_reduced = [&](std::size_t axis) { return ((axes >> axis) & 1u) != 0; };
  Layout layout;
  std::size_t end = dims.size();
  while (end > 0 && !is_reduced(end - 1)) layout.run *= dims[--end];
  std::size_t inner = dims.size();
  while (inner > 0 && is_reduced(inner - 1)) layout.contiguous *= dims[--inner];
  layout.reduced = layout.kept = {0};
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!is_reduced(axis) && axis >= end) continue;
    auto& list = is_reduced(axis) ? layout.reduced : layout.kept;
    std::vector<std::int64_t> longer;
    longer.reserve(list.size() * static_cast<std::size_t>(std::max<std::int64_t>(dims[axis], 0)));
    for (const std::int64_t offset : list)
      for (std::int64_t i = 0; i < dims[axis]; ++i) longer.push_back(offset + i * stride[axis]);
    list = std::move(longer);
  }
  return layout;
}

bool is_signed(DType type) {
  return type == DType::i8 || type == DType::i16 || type == DType::i32 || type == DType::i64;
}
// What a maximum or minimum over nothing gives: the ends of the stored type.
template <class T>
T highest([[maybe_unused]] DType type) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::numeric_limits<T>::infinity();
  } else {
    const int width = type == DType::boolean ? 1 : bits(type) - (is_signed(type) ? 1 : 0);
    return width >= std::numeric_limits<T>::digits ? std::numeric_limits<T>::max()
                                                   : static_cast<T>((std::uint64_t{1} << width) - 1);
  }
}
template <class T>
T lowest([[maybe_unused]] DType type) {
  if constexpr (std::is_floating_point_v<T>)
    return -std::numeric_limits<T>::infinity();
  else
    return is_signed(type) ? static_cast<T>(~highest<T>(type)) : T(0);
}

// What a kind does: a value from each element, a fold, and a last step.
template <Kind kind>
struct Rule {
  using Fold = functors::add;
  template <class T>
  static T start(DType) {
    return T(0);
  }
  template <class T>
  static T value(T x, T shift) {
    if constexpr (kind == Kind::l1) return functors::abs::of(functors::Constants<T>{}, x);
    if constexpr (kind == Kind::l2 || kind == Kind::sum_square)
      return functors::mul::of(functors::Constants<T>{}, x, x);
    if constexpr (kind == Kind::log_sum_exp && std::is_floating_point_v<T>) return math::exp(x - shift);
    return x;
  }
  template <class T>
  static T last(T sum, T shift, std::int64_t n) {
    if constexpr (kind == Kind::mean) return functors::quotient(sum, static_cast<T>(n));
    if constexpr (std::is_floating_point_v<T>) {
      if constexpr (kind == Kind::l2) return math::sqrt(sum);
      if constexpr (kind == Kind::log_sum) return math::log(sum);
      if constexpr (kind == Kind::log_sum_exp) return math::log(sum) + shift;
    } else {
      if constexpr (kind == Kind::l2) return static_cast<T>(math::sqrt(static_cast<double>(sum)));
      if constexpr (kind == Kind::log_sum) return static_cast<T>(math::log(static_cast<double>(sum)));
    }
    return sum;
  }
};
template <>
struct Rule<Kind::prod> : Rule<Kind::sum> {
  using Fold = functors::mul;
  template <class T>
  static T start(DType) {
    return T(1);
  }
};
template <>
struct Rule<Kind::max> : Rule<Kind::sum> {
  using Fold = functors::max;
  template <class T>
  static T start(DType type) {
    return lowest<T>(type);
  }
};
template <>
struct Rule<Kind::min> : Rule<Kind::sum> {
  using Fold = functors::min;
  template <class T>
  static T start(DType type) {
    return highest<T>(type);
  }
};

// The elements of one row, in order.
template <class T>
void read_row(const In& in, const Layout& layout, std::int64_t base, std::vector<T>& row) {
  const auto n = static_cast<std::int64_t>(layout.reduced.size()), step = std::max<std::int64_t>(layout.contiguous, 1);
  for (std::int64_t i = 0; i < n; i += step)
    load(in.type, in.data, base + layout.reduced[static_cast<std::size_t>(i)], std::min(step, n - i), row.data() + i);
}

// Subtracted before exp so that it cannot overflow; 0 where the largest element is not finite.
template <class T, class Value>
T shift_of(std::int64_t n, Value value) {
  if constexpr (std::is_floating_point_v<T>) {
    const T most = fold<functors::max, T>(n, -std::numeric_limits<T>::infinity(), value);
    return math::abs(most) <= std::numeric_limits<T>::max() ? most : T(0);
  } else {
    return T(0);
  }
}

template <Kind kind, class T>
void reduce_as(const In& in, const Out& out, const Layout& layout, Parallel& parallel) {
  using R = Rule<kind>;
  const auto n = static_cast<std::int64_t>(layout.reduced.size());
  const functors::Constants<T> none{};
  const auto kept = static_cast<std::int64_t>(layout.kept.size());
  if (layout.run == 1 || kind == Kind::log_sum_exp) {
    parallel.run(kept * layout.run, std::max<std::int64_t>(1, 8192 / (n + 1)),
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<T> row(static_cast<std::size_t>(n));
                   for (std::int64_t i = begin; i < end; ++i) {
                     read_row(in, layout, layout.kept[static_cast<std::size_t>(i / layout.run)] + i % layout.run, row);
                     const auto element = [&](std::int64_t e) { return row[static_cast<std::size_t>(e)]; };
                     const T shift = kind == Kind::log_sum_exp ? shift_of<T>(n, element) : T(0);
                     const T sum = fold<typename R::Fold, T>(n, R::template start<T>(in.type), [&](std::int64_t e) {
                       return R::template value<T>(element(e), shift);
                     });
                     const T result = R::template last<T>(sum, shift, n);
                     store(out.type, &result, 1, out.data, i);
                   }
                 });
    return;
  }
  const std::int64_t chunks = (layout.run + columns - 1) / columns;
  parallel.run(kept * chunks, std::max<std::int64_t>(1, 1024 / (n + 1)), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> lane(static_cast<std::size_t>(lanes * columns));
    T loaded[columns] = {};
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t column = task % chunks * columns, width = std::min(columns, layout.run - column);
      const std::int64_t base = layout.kept[static_cast<std::size_t>(task / chunks)] + column;
      const std::int64_t used = std::min(n, lanes);
      std::fill(lane.begin(), lane.begin() + std::max<std::int64_t>(used, 1) * columns, R::template start<T>(in.type));
      for (std::int64_t e = 0; e < n; ++e) {
        load(in.type, in.data, base + layout.reduced[static_cast<std::size_t>(e)], width, loaded);
        T* into = lane.data() + e % lanes * columns;
        for (std::int64_t c = 0; c < columns; ++c)
          into[c] = R::Fold::of(none, into[c], R::template value<T>(loaded[c], T(0)));
      }
      std::int64_t left = used;
      for (std::int64_t half = lanes / 2; half > 0; half /= 2) {
        for (std::int64_t l = 0; l < half && l + half < left; ++l)
          for (std::int64_t c = 0; c < columns; ++c)
            lane[static_cast<std::size_t>(l * columns + c)] =
                R::Fold::of(none, lane[static_cast<std::size_t>(l * columns + c)],
                            lane[static_cast<std::size_t>((l + half) * columns + c)]);
        left = std::min(left, half);
      }
      for (std::int64_t c = 0; c < width; ++c)
        lane[static_cast<std::size_t>(c)] = R::template last<T>(lane[static_cast<std::size_t>(c)], T(0), n);
      store(out.type, lane.data(), width, out.data, task / chunks * layout.run + column);
    }
  });
}

// The position of the extreme element; the first NaN wins over every number.
template <class T>
void arg_as(const ReduceParams& params, const In& in, const Out& out, const Layout& layout, Parallel& parallel) {
  const auto n = static_cast<std::int64_t>(layout.reduced.size());
  const bool largest = params.kind == Kind::argmax;
  parallel.run(static_cast<std::int64_t>(layout.kept.size()) * layout.run, 256,
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<T> row(static_cast<std::size_t>(n));
                 for (std::int64_t i = begin; i < end; ++i) {
                   read_row(in, layout, layout.kept[static_cast<std::size_t>(i / layout.run)] + i % layout.run, row);
                   std::int64_t best = 0;
                   for (std::int64_t e = 1; e < n; ++e) {
                     const T x = row[static_cast<std::size_t>(e)], y = row[static_cast<std::size_t>(best)];
                     if (y != y) break;
                     if (x != x || (largest ? x > y : x < y) || (params.select_last && x == y)) best = e;
                   }
                   store(out.type, &best, 1, out.data, i);
                 }
               });
}

template <class T>
void dispatch(const ReduceParams& params, const In& in, const Out& out, const Layout& layout, Parallel& parallel) {
  switch (params.kind) {
    case Kind::sum: return reduce_as<Kind::sum, T>(in, out, layout, parallel);
    case Kind::mean: return reduce_as<Kind::mean, T>(in, out, layout, parallel);
    case Kind::max: return reduce_as<Kind::max, T>(in, out, layout, parallel);
    case Kind::min: return reduce_as<Kind::min, T>(in, out, layout, parallel);
    case Kind::prod: return reduce_as<Kind::prod, T>(in, out, layout, parallel);
    case Kind::l1: return reduce_as<Kind::l1, T>(in, out, layout, parallel);
    case Kind::l2: return reduce_as<Kind::l2, T>(in, out, layout, parallel);
    case Kind::sum_square: return reduce_as<Kind::sum_square, T>(in, out, layout, parallel);
    case Kind::log_sum: return reduce_as<Kind::log_sum, T>(in, out, layout, parallel);
    case Kind::log_sum_exp: return reduce_as<Kind::log_sum_exp, T>(in, out, layout, parallel);
    case Kind::argmax:
    case Kind::argmin: return arg_as<T>(params, in, out, layout, parallel);
  }
}

}  // namespace

Result<void> run(const ReduceParams& params, Ins in, Outs out, Parallel& parallel) {
  if (count(out[0].dims) == 0) return {};
  const Layout layout = lay_out(in[0].dims, params.axes);
  if (layout.reduced.empty() && (params.kind == Kind::argmax || params.kind == Kind::argmin))
    return Error{
        Fault::validation, "", "the extreme of an axis without elements was asked for, give it at least one", "", {}};
  with_compute(compute_type(in[0].type),
               [&](auto zero) { dispatch<decltype(zero)>(params, in[0], out[0], layout, parallel); });
  return {};
}

}  // namespace aegis::kernels
