#include "exec/memory.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aegis {

Result<Tensor> Memory::allocate(DType type, std::vector<std::int64_t> dims) const {
  if (std::ranges::any_of(dims, [](std::int64_t extent) { return extent < 0; }))
    return Error{Fault::validation, "", fmt::format("an extent below zero in [{}]", fmt::join(dims, ", ")), "", {}};
  const std::int64_t elements = element_count(dims);
  // An empty tensor still gets a byte, so that its address is not null.
  const std::uint64_t bytes = elements > (std::int64_t{1} << 56)
                                  ? UINT64_MAX
                                  : std::max<std::uint64_t>(raw_bytes(type, static_cast<std::uint64_t>(elements)), 1);
  const std::uint64_t before = used_->fetch_add(bytes);
  if (bytes > limit_ || before > limit_ - bytes) {
    used_->fetch_sub(bytes);
    return Error{
        Fault::validation,
        "",
        fmt::format("tensor {} [{}] would bring live tensors to {} bytes, the limit is {}; raise the limit or bind "
                    "smaller extents",
                    name(type), fmt::join(dims, ", "), bytes == UINT64_MAX ? bytes : before + bytes, limit_),
        "",
        {}};
  }
  Tensor tensor{type, std::move(dims), nullptr};
  tensor.data = std::shared_ptr<Bytes>(new Bytes(bytes), [used = used_, bytes](Bytes* data) {
    delete data;
    used->fetch_sub(bytes);
  });
  return tensor;
}

}  // namespace aegis
