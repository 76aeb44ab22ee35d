#include "exec/kernels/host.hpp"

#include <cstring>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/indices.hpp"

namespace aegis::kernels {
namespace {

std::vector<bool> truths(const In& in) {
  std::vector<double> values(static_cast<std::size_t>(count(in.dims)));
  load(in.type, in.data, 0, static_cast<std::int64_t>(values.size()), values.data());
  std::vector<bool> result;
  for (const double value : values) result.push_back(value != 0);
  return result;
}

// [rank, hits]: the coordinates of the elements that are not zero.
Result<Tensor> non_zero(const In& in, const Memory& memory) {
  const std::vector<bool> hit = truths(in);
  std::vector<std::vector<std::int64_t>> found(in.dims.size());
  Coordinates at(in.dims);
  for (std::size_t i = 0; i < hit.size(); ++i, at.next())
    if (hit[i])
      for (std::size_t axis = 0; axis < found.size(); ++axis) found[axis].push_back(at[axis]);
  const std::size_t hits = found.empty() ? 0 : found[0].size();
  AEGIS_TRY(Tensor out,
            memory.allocate(DType::i64, {static_cast<std::int64_t>(found.size()), static_cast<std::int64_t>(hits)}));
  for (std::size_t axis = 0; axis < found.size() && hits > 0; ++axis)
    std::memcpy(out.data->data() + axis * hits * 8, found[axis].data(), hits * 8);
  return out;
}

// The slices along `axis` whose condition holds.
Result<Tensor> compress(const In& in, const In& condition, std::size_t axis, const Memory& memory) {
  const std::vector<bool> keep = truths(condition);
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < keep.size() && i < static_cast<std::size_t>(in.dims[axis]); ++i)
    if (keep[i]) kept.push_back(static_cast<std::int64_t>(i));
  std::vector<std::int64_t> dims(in.dims.begin(), in.dims.end());
  dims[axis] = static_cast<std::int64_t>(kept.size());
  AEGIS_TRY(Tensor out, memory.allocate(in.type, dims));
  const std::size_t bytes = static_cast<std::size_t>(count(in.dims.subspan(axis + 1))) * element_bytes(in.type);
  std::byte* to = out.data->data();
  for (std::int64_t o = 0; o < count(in.dims.first(axis)); ++o)
    for (const std::int64_t i : kept) {
      std::memcpy(to, in.data + static_cast<std::size_t>(o * in.dims[axis] + i) * bytes, bytes);
      to += bytes;
    }
  return out;
}

}  // namespace

Result<Tensor> run_host(const HostParams& params, Ins in, const Memory& memory) {
  if (element_bytes(in[0].type) == 0)
    return Error{Fault::validation, "", "elements of this type are not handled here", "", {}};
  switch (params.what) {
    case HostParams::What::non_zero: return non_zero(in[0], memory);
    case HostParams::What::compress: return compress(in[0], in[1], static_cast<std::size_t>(params.axis), memory);
  }
  return Error{Fault::internal, "", "unknown host primitive", "", {}};
}

}  // namespace aegis::kernels
