#include "model/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/cut.hpp"

namespace aegis {
namespace {

Error differs(const File& written, std::uint64_t at, std::string_view what, Fault fault = Fault::internal) {
  return Error{.fault = fault,
               .code = {},
               .message = fmt::format("what was written does not read back as the model: {} at byte {}, nothing is "
                                      "kept; check the disk, or report the command line and the model",
                                      what, at),
               .where = written.name(),
               .notes = {}};
}

// What was loaded under limits is not held against them again.
Limits no_limits() {
  Limits limits;
  for (const LimitRow& row : limit_rows()) limits.*row.value = std::numeric_limits<std::uint64_t>::max();
  return limits;
}

Result<bool> holds(const File& file, std::uint64_t at, std::string_view bytes) {
  Bytes window(std::min<std::size_t>(bytes.size(), 256u << 10));
  while (!bytes.empty()) {
    const auto piece = std::span(window).first(std::min(window.size(), bytes.size()));
    AEGIS_CHECK(file.read(at, piece));
    if (!std::ranges::equal(piece, std::as_bytes(std::span(bytes.substr(0, piece.size()))))) return false;
    at += piece.size();
    bytes.remove_prefix(piece.size());
  }
  return true;
}

}  // namespace

Result<void> verify(const File& written, const Rope& rope, const std::vector<TensorSource>& payloads) {
  if (written.size() != rope.size) return differs(written, written.size(), "it ends");
  auto walked = cut(written, no_limits());
  if (!walked) return differs(written, 0, walked.error().message, Fault::file);
  auto found = walked->cuts.begin();
  const auto end = walked->cuts.end();
  std::uint64_t at = 0;
  for (const Piece& piece : rope.pieces) {
    if (piece.payload < 0) {
      AEGIS_TRY(const bool same, holds(written, at, piece.bytes));
      if (!same) return differs(written, at, "other bytes stand");
      at += piece.bytes.size();
      continue;
    }
    const std::uint64_t length = payloads[static_cast<std::size_t>(piece.payload)].stored_size();
    while (found != end && found->offset < at) ++found;
    // The walk leaves short payloads where they are.
    const bool cut_out = found != end && found->offset == at && found->length == length;
    if (!cut_out && length > Keep{}.integers) return differs(written, at, "a payload is not found");
    at += length;
  }
  return {};
}

}  // namespace aegis
