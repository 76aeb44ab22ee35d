// A padded tensor in row-major order is a sequence of stretches: so many elements copied from the source, so many of
// the fill value. The source hands over its bytes in windows of any size; Layout hands out the stretches one by one,
// and Writer drains a window against them. Neither ever holds the tensor.
#include "rewriter/padding/recipe.hpp"

#include <algorithm>
#include <cstring>

namespace aegis::padding {
namespace {

struct Stretch {
  bool copy = false;
  std::int64_t elements = 0;
};

// Walks the padded axes from the outermost in; everything inside the last padded axis is one block.
class Layout {
 public:
  Layout(std::span<const std::int64_t> dims, const std::map<int, LaneMap>& maps) {
    int last = -1;
    for (const auto& [axis, map] : maps) {
      if (map.padded()) last = std::max(last, axis);
    }
    block_ = element_count(dims.subspan(static_cast<std::size_t>(last + 1)));
    for (int axis = 0; axis <= last; ++axis) {
      const auto found = maps.find(axis);
      const std::int64_t extent = dims[static_cast<std::size_t>(axis)];
      levels_.push_back({found != maps.end() ? found->second : LaneMap::identity(extent), 0, 0, 0});
    }
    std::int64_t inner = block_;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      level->inner = inner;
      inner *= level->map.total();
    }
    whole_ = inner;
    done_ = whole_ == 0;
  }

  // The next stretch; zero elements at the end.
  Stretch next() {
    if (done_) return {};
    if (levels_.empty()) {
      done_ = true;
      return {true, whole_};
    }
    // All levels but the innermost stand on a valid lane here, or on the start of a padding run.
    for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
      Level& level = levels_[depth];
      const LaneMap::Run run = level.map.runs()[level.run];
      if (!run.valid || depth + 1 == levels_.size()) {
        level.lane = 0;
        ++level.run;
        settle(depth);
        return {run.valid, run.lanes * level.inner};
      }
    }
    return {};
  }

 private:
  struct Level {
    LaneMap map;
    std::int64_t inner;  // padded elements under one lane
    std::size_t run;
    std::int64_t lane;
  };

  // Carries a finished level into its parents.
  void settle(std::size_t depth) {
    while (levels_[depth].run == levels_[depth].map.runs().size()) {
      levels_[depth].run = 0;
      if (depth == 0) {
        done_ = true;
        return;
      }
      Level& parent = levels_[--depth];
      if (++parent.lane == parent.map.runs()[parent.run].lanes) {
        parent.lane = 0;
        ++parent.run;
      }
    }
  }

  std::vector<Level> levels_;
  std::int64_t block_ = 1, whole_ = 0;
  bool done_ = false;
};

class Writer {
 public:
  Writer(const Sink& sink, const Tensor& fill, Layout layout)
      : sink_(sink), fill_(*fill.data), layout_(std::move(layout)), now_(layout_.next()) {
    buffer_.reserve(buffer_bytes);
  }

  // Writes fill stretches up to the next one that copies.
  Result<void> fill() {
    for (; now_.elements > 0 && !now_.copy; now_ = layout_.next()) {
      for (std::int64_t i = 0; i < now_.elements; ++i) {
        if (buffer_.size() + fill_.size() > buffer_bytes) AEGIS_CHECK(flush());
        buffer_.insert(buffer_.end(), fill_.begin(), fill_.end());
      }
    }
    left_ = static_cast<std::uint64_t>(now_.elements) * fill_.size();
    return {};
  }

  Result<void> copy(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      if (left_ == 0) return wrong_size("more");
      const std::size_t room = buffer_bytes - buffer_.size();
      const std::size_t take = static_cast<std::size_t>(std::min<std::uint64_t>({bytes.size(), left_, room}));
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(take));
      bytes = bytes.subspan(take);
      left_ -= take;
      if (buffer_.size() == buffer_bytes) AEGIS_CHECK(flush());
      if (left_ > 0) continue;
      now_ = layout_.next();
      AEGIS_CHECK(fill());
    }
    return {};
  }

  Result<void> finish() {
    if (left_ != 0) return wrong_size("fewer");
    return flush();
  }

 private:
  static constexpr std::size_t buffer_bytes = 64u << 10;

  static Error wrong_size(std::string_view than) {
    Error error;
    error.fault = Fault::file;
    error.message = "a stored tensor has " + std::string(than) + " bytes than its extents say; write the model again";
    return error;
  }

  Result<void> flush() {
    if (buffer_.empty()) return {};
    Result<void> sent = sink_(buffer_);
    buffer_.clear();
    return sent;
  }

  const Sink& sink_;
  const Bytes& fill_;
  Layout layout_;
  Stretch now_;
  std::uint64_t left_ = 0;  // bytes of the copy stretch still to come
  Bytes buffer_;
};

class PadRecipe final : public Recipe {
 public:
  PadRecipe(TensorSource source, std::map<int, LaneMap> maps, double fill)
      : source_(std::move(source)), maps_(std::move(maps)), fill_(from_doubles(source_.type, {1}, {&fill, 1})) {}

  Result<void> make(const Sink& sink) const override {
    Writer writer(sink, fill_, Layout(source_.dims, maps_));
    AEGIS_CHECK(writer.fill());
    AEGIS_CHECK(source_.stream([&](std::span<const std::byte> bytes) { return writer.copy(bytes); }));
    return writer.finish();
  }

 private:
  TensorSource source_;
  std::map<int, LaneMap> maps_;
  Tensor fill_;
};

}  // namespace

TensorSource padded(const TensorSource& source, const std::map<int, LaneMap>& maps, double fill) {
  std::vector<std::int64_t> dims = source.dims;
  for (const auto& [axis, map] : maps) dims[static_cast<std::size_t>(axis)] = map.total();
  return TensorSource::made(source.type, std::move(dims), std::make_shared<PadRecipe>(source, maps, fill));
}

}  // namespace aegis::padding
