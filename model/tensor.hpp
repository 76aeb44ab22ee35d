// TensorSource: where the bytes of a constant come from. A span of a file, bytes in memory, or a recipe that makes
// them when they are written or uploaded. Linting never reads one unless a rule says that it reads weights.
//
// Tensor: the bytes themselves, dense, row-major, little-endian, in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "model/dtype.hpp"
#include "model/external_policy.hpp"
#include "model/result.hpp"

namespace aegis {

class File;           // model/file.hpp: an open, read-only file with pread windows
struct FileIdentity;  // the same header

using Bytes = std::vector<std::byte>;
using Sink = std::function<Result<void>(std::span<const std::byte>)>;

// Product of the extents; 1 for rank 0. Saturates at 2^63 - 1 instead of wrapping.
std::int64_t element_count(std::span<const std::int64_t> dims);

struct Tensor {
  DType type = DType::undefined;
  std::vector<std::int64_t> dims;
  std::shared_ptr<Bytes> data;  // shared, never changed once published; null for strings

  std::int64_t elements() const { return element_count(dims); }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data->data());
  }
  template <class T>
  T* as_mutable() {
    return reinterpret_cast<T*>(data->data());
  }
  // A tensor with zeroed bytes for `dims` elements of `type`.
  static Tensor zeros(DType type, std::vector<std::int64_t> dims);
};

// Makes a tensor's raw bytes on demand, in order, in pieces of any size. Used for padded and recast weights.
class Recipe {
 public:
  virtual ~Recipe() = default;
  // Exactly raw_bytes(type, elements) bytes, little-endian, row-major.
  virtual Result<void> make(const Sink& sink) const = 0;
};

class TensorSource {
 public:
  // How the bytes lie in the place they come from: one of TensorProto's data fields, by its number.
  enum class Field : std::uint8_t {
    float_data = 4,
    int32_data = 5,
    string_data = 6,
    int64_data = 7,
    raw = 9,
    double_data = 10,
    uint64_data = 11
  };
  struct Span {  // a payload inside a file, in the encoding of its field
    std::shared_ptr<const File> file;
    std::uint64_t offset = 0, length = 0;
  };
  struct External {     // bytes in another file, opened when they are asked for (model/external.hpp)
    std::string model;  // path of the model's own file
    std::string location;
    std::uint64_t offset = 0, length = 0;
    ExternalPolicy policy = ExternalPolicy::hf;
    bool resolve_pointers = true;
    std::shared_ptr<const FileIdentity> seen = nullptr;  // what stood there when the model was loaded; null: nothing
  };
  using Owned = std::shared_ptr<const std::string>;  // payload bytes in the encoding of `field`
  using Made = std::shared_ptr<const Recipe>;

  DType type = DType::undefined;
  std::vector<std::int64_t> dims;
  Field field = Field::raw;
  std::variant<Owned, Span, External, Made> from;

  std::int64_t elements() const { return element_count(dims); }
  std::uint64_t raw_size() const { return raw_bytes(type, static_cast<std::uint64_t>(elements())); }
  // Size of the payload as stored: what a writer will splice in.
  std::uint64_t stored_size() const;

  // Calls `sink` with the raw little-endian bytes, in order, at most `window` bytes at a time.
  Result<void> stream(const Sink& sink, std::size_t window = 1u << 20) const;
  // The payload exactly as it is stored, in the encoding of `field`: what a writer splices in.
  Result<void> stream_stored(const Sink& sink, std::size_t window = 1u << 20) const;
  Result<Tensor> read() const;

  static TensorSource owned(const Tensor& tensor);
  static TensorSource made(DType type, std::vector<std::int64_t> dims, std::shared_ptr<const Recipe> recipe);
};

// Elements of an integer tensor (int64, int32, int8, uint8, bool) widened; an error for other types.
Result<std::vector<std::int64_t>> to_integers(const Tensor& tensor);
// Elements of a numeric tensor widened to double; an error for strings and complex types.
Result<std::vector<double>> to_doubles(const Tensor& tensor);
// A tensor of `type` with these values: float types round to nearest even, integers truncate and
// saturate.
Tensor from_doubles(DType type, std::vector<std::int64_t> dims, std::span<const double> values);
Tensor from_integers(std::vector<std::int64_t> dims, std::span<const std::int64_t> values);  // INT64

}  // namespace aegis
