// Dim and ValueType: what is known of a value's element type and extents. A Dim answers questions with yes, no or
// unknown; nothing unknown is ever read as zero.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/dtype.hpp"

namespace aegis {

enum class Answer : std::uint8_t { no, yes, unknown };

struct Dim {
  enum class Kind : std::uint8_t { unknown, value, symbol };
  enum class Origin : std::uint8_t { fixed, bound, assumed };  // where the number comes from: file, caller, Aegis
  std::int64_t extent = -1;                                    // for Kind::value
  std::uint32_t symbol = 0;                                    // for Kind::symbol: index into TypeTable::symbols
  Kind kind = Kind::unknown;
  Origin origin = Origin::fixed;
  std::uint64_t depends = 0;  // bit i: the extent moves with symbol i (symbols past 63 share bit 63)

  static Dim of(std::int64_t extent) { return Dim{.extent = extent, .kind = Kind::value}; }
  bool known() const { return kind == Kind::value; }
  std::optional<std::int64_t> value() const { return known() ? std::optional(extent) : std::nullopt; }
  Answer equals(const Dim& other) const;
  Answer divides(std::int64_t n) const;  // is the extent a multiple of n
  Answer at_least(std::int64_t n) const;
  friend bool operator==(const Dim&, const Dim&) = default;
};

struct ValueType {
  enum class Kind : std::uint8_t { unknown, tensor, sequence, optional, map, sparse };
  Kind kind = Kind::unknown;
  DType dtype = DType::undefined;        // of a tensor, or of a sequence's or optional's tensors
  std::optional<std::vector<Dim>> dims;  // absent: rank unknown

  bool tensor() const { return kind == Kind::tensor; }
  bool ranked() const { return dims.has_value(); }
  int rank() const { return dims ? static_cast<int>(dims->size()) : -1; }
  // Every extent known: the shape as numbers.
  std::optional<std::vector<std::int64_t>> shape() const;
  std::optional<std::int64_t> elements() const;
  static ValueType tensor_of(DType dtype, std::span<const std::int64_t> shape);
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

}  // namespace aegis
