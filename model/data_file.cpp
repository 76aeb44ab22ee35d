#include "model/data_file.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace aegis {
namespace {

constexpr std::string_view suffix = ".data";
constexpr std::size_t digits = 16;

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

// Everything that is written passes here, for the file's name.
class HashedWriter {
 public:
  explicit HashedWriter(StagedFile& staged) : staged_(staged), state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_64bits_reset(state_.get());
  }
  Result<void> write(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
    at_ += bytes.size();
    return staged_.write(bytes);
  }
  Result<void> pad_to(std::uint64_t offset) {
    static constexpr std::array<std::byte, 4096> zeros{};
    while (at_ < offset)
      AEGIS_CHECK(
          write(std::span(zeros).first(static_cast<std::size_t>(std::min<std::uint64_t>(zeros.size(), offset - at_)))));
    return {};
  }
  std::uint64_t at() const { return at_; }
  std::uint64_t hash() const { return XXH3_64bits_digest(state_.get()); }

 private:
  StagedFile& staged_;
  std::unique_ptr<XXH3_state_t, FreeState> state_;
  std::uint64_t at_ = 0;
};

}  // namespace

std::string data_file_name(std::string_view stem, std::uint64_t hash) {
  return fmt::format("{}.{:016x}{}", stem, hash, suffix);
}

bool is_data_file_name(std::string_view name, std::string_view stem) {
  if (name.size() != stem.size() + 1 + digits + suffix.size()) return false;
  if (!name.starts_with(stem) || name[stem.size()] != '.' || !name.ends_with(suffix)) return false;
  return std::ranges::all_of(name.substr(stem.size() + 1, digits),
                             [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Result<std::uint64_t> write_data(StagedFile& staged, const Placement& placement) {
  HashedWriter out(staged);
  for (const Placement::Outside& outside : placement.outside) {
    if (outside.again) continue;
    AEGIS_CHECK(out.pad_to(outside.offset));
    AEGIS_CHECK(outside.source.stream([&](std::span<const std::byte> piece) { return out.write(piece); }));
    if (out.at() != outside.offset + outside.source.raw_size())
      return Error{.fault = Fault::internal,
                   .code = {},
                   .message = fmt::format("a tensor of {} bytes made {} bytes", outside.source.raw_size(),
                                          out.at() - outside.offset),
                   .where = outside.tensor->name(),
                   .notes = {}};
  }
  return out.hash();
}

}  // namespace aegis
