#include "model/window.hpp"

#include <algorithm>

namespace aegis {

Result<void> Window::move_to(std::uint64_t at) {
  const bool onward = filled_ > 0 && at >= start_ && at <= end() + smallest;
  if (onward) at = std::min(at, end());  // what lies between is wanted, too: the walk only skipped a short field
  next_ = onward ? std::min(next_ * 2, largest) : smallest;
  if (buffer_.size() < next_) buffer_.resize(next_);
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(next_, file_.size() - at));
  filled_ = 0;
  AEGIS_CHECK(file_.read(at, std::span(buffer_).first(length)));
  start_ = at;
  filled_ = length;
  return {};
}

}  // namespace aegis
