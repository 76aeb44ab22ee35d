// splice(): the way back from a skeleton (cut.hpp) to a file. It walks a serialised skeleton and puts payloads in where
// the markers stand, correcting the lengths of all enclosing messages.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/tensor.hpp"

namespace aegis {

// A serialised model in pieces: literal bytes, or the payload with that number.
struct Piece {
  std::string_view bytes;  // of the skeleton, or of `headers`
  std::int64_t payload = -1;
};
struct Rope {
  std::vector<Piece> pieces;
  std::uint64_t size = 0;
  std::vector<std::unique_ptr<std::string>> headers;  // owns rewritten tags and lengths
};
Rope splice(std::string_view skeleton, const std::vector<TensorSource>& payloads);

}  // namespace aegis
