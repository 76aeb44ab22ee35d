#include "ops/prim.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <type_traits>

namespace aegis {
namespace {

constexpr std::string_view fn_names[] = {
#define AEGIS_FN(name) #name,
    AEGIS_MAP_FUNCTIONS(AEGIS_FN)
#undef AEGIS_FN
};

template <class T>
constexpr std::string_view prim_name() {
  if constexpr (std::is_same_v<T, AliasParams>) return "alias";
  if constexpr (std::is_same_v<T, MapParams>) return "map";
  if constexpr (std::is_same_v<T, CopyParams>) return "copynd";
  if constexpr (std::is_same_v<T, GatherParams>) return "gather";
  if constexpr (std::is_same_v<T, ScatterParams>) return "scatter";
  if constexpr (std::is_same_v<T, ReduceParams>) return "reduce";
  if constexpr (std::is_same_v<T, RowNormParams>) return "rownorm";
  if constexpr (std::is_same_v<T, ScanParams>) return "scan";
  if constexpr (std::is_same_v<T, SortParams>) return "sort";
  if constexpr (std::is_same_v<T, GemmParams>) return "gemm";
  if constexpr (std::is_same_v<T, ConvParams>) return "conv";
  if constexpr (std::is_same_v<T, PoolParams>) return "pool";
  if constexpr (std::is_same_v<T, HostParams>) return "host";
}

// Writes " key=value" for every field of a call.
class Printer {
 public:
  explicit Printer(std::string& out) : out_(out) {}
  template <class T>
  void field(std::string_view key, const T& value) {
    if constexpr (std::is_enum_v<T>) {
      fmt::format_to(std::back_inserter(out_), " {}={}", key, static_cast<int>(value));
    } else if constexpr (std::is_same_v<T, bool>) {
      fmt::format_to(std::back_inserter(out_), " {}={}", key, value ? 1 : 0);
    } else {
      fmt::format_to(std::back_inserter(out_), " {}={}", key, value);
    }
  }
  template <class T, std::size_t n>
  void list(std::string_view key, const std::array<T, n>& values, int count) {
    fmt::format_to(std::back_inserter(out_), " {}=", key);
    for (int i = 0; i < count; ++i)
      fmt::format_to(std::back_inserter(out_), "{}{}", i ? "," : "", values[static_cast<std::size_t>(i)]);
  }

  void operator()(const AliasParams&) {}
  void operator()(const MapParams& p) {
    field("fn", name(p.fn));
    field("compute", p.compute);
    list("p", p.p, 4);
  }
  void operator()(const CopyParams& p) {
    list("extent", p.extent, p.rank);
    list("in_stride", p.in_stride, p.rank);
    list("out_stride", p.out_stride, p.rank);
    field("in_offset", p.in_offset);
    field("out_offset", p.out_offset);
  }
  void operator()(const GatherParams& p) {
    field("mode", p.mode);
    field("axis", p.axis);
  }
  void operator()(const ScatterParams& p) {
    field("mode", p.mode);
    field("combine", p.combine);
    field("axis", p.axis);
  }
  void operator()(const ReduceParams& p) {
    field("kind", p.kind);
    field("axes", p.axes);
    field("select_last", p.select_last);
  }
  void operator()(const RowNormParams& p) {
    field("kind", p.kind);
    field("outer", p.outer);
    field("length", p.length);
    field("inner", p.inner);
    field("channels", p.channels);
    field("rows_to_channel", p.rows_to_channel);
    field("per_channel", p.per_channel);
    field("epsilon", p.epsilon);
    field("p", p.p);
  }
  void operator()(const ScanParams& p) {
    field("axis", p.axis);
    field("exclusive", p.exclusive);
    field("reverse", p.reverse);
  }
  void operator()(const SortParams& p) {
    field("axis", p.axis);
    field("largest", p.largest);
  }
  void operator()(const GemmParams& p) {
    field("m", p.m);
    field("n", p.n);
    field("k", p.k);
    field("trans_a", p.trans_a);
    field("trans_b", p.trans_b);
    field("alpha", p.alpha);
    field("beta", p.beta);
    field("bias_row_stride", p.bias_row_stride);
    field("bias_column_stride", p.bias_column_stride);
    list("batch", p.batch, p.batch_rank);
    list("a_stride", p.a_stride, p.batch_rank);
    list("b_stride", p.b_stride, p.batch_rank);
  }
  void operator()(const ConvParams& p) {
    field("transposed", p.transposed);
    field("batch", p.batch);
    field("channels", p.channels);
    field("filters", p.filters);
    field("groups", p.groups);
    list("in", p.in, p.spatial);
    list("kernel", p.kernel, p.spatial);
    list("stride", p.stride, p.spatial);
    list("dilation", p.dilation, p.spatial);
    list("pad", p.pad, p.spatial);
    list("out", p.out, p.spatial);
  }
  void operator()(const PoolParams& p) {
    field("kind", p.kind);
    field("planes", p.planes);
    list("in", p.in, p.spatial);
    list("kernel", p.kernel, p.spatial);
    list("stride", p.stride, p.spatial);
    list("dilation", p.dilation, p.spatial);
    list("pad", p.pad, p.spatial);
    list("pad_end", p.pad_end, p.spatial);
    list("out", p.out, p.spatial);
    field("include_pad", p.include_pad);
    field("column_major", p.column_major);
    field("p", p.p);
  }
  void operator()(const HostParams& p) {
    field("what", p.what);
    field("axis", p.axis);
  }

 private:
  std::string& out_;
};

}  // namespace

std::string_view name(Fn fn) { return fn_names[static_cast<std::size_t>(fn)]; }

Compute compute_type(DType type) {
  if (type == DType::f64) return Compute::f64;
  if (is_float(type)) return Compute::f32;
  return type == DType::u64 ? Compute::u64 : Compute::i64;
}

DType storage_type(Compute type) {
  switch (type) {
    case Compute::f32: return DType::f32;
    case Compute::f64: return DType::f64;
    case Compute::i64: return DType::i64;
    case Compute::u64: return DType::u64;
  }
  return DType::undefined;
}

std::string print(const PrimCall& call) {
  const auto name = std::visit([](const auto& p) { return prim_name<std::decay_t<decltype(p)>>(); }, call.params);
  std::string text = fmt::format("{}({}) -> {}", name, fmt::join(call.in, ", "), fmt::join(call.out, ", "));
  std::visit(Printer(text), call.params);
  return text;
}

std::size_t hash(const PrimCall& call) { return std::hash<std::string>{}(print(call)); }

}  // namespace aegis
