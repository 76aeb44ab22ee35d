// Payloads: what each stored tensor declares (type, extents) against the data that it has. Reads no weights: sizes
// tell.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct Payload {
  DType type = DType::undefined;
  std::uint32_t field = 0;         // TensorProto's data field that is read; 0: there is none, or another file holds it
  std::uint32_t extra_fields = 0;  // data fields filled besides it
  double declared_bytes = 0;  // type x extents, of strings their number; NaN: an extent or the type is no valid one
  double actual_bytes = 0;    // NaN: not known without reading, or not stated
};

class Payloads {
 public:
  explicit Payloads(FactTable& table) : Payloads(table.model()) {}
  explicit Payloads(const Model& model);
  // Null for values that are not stored.
  const Payload* of(ValueId id) const { return index_[index(id)] < 0 ? nullptr : &rows_[row(id)]; }

 private:
  std::size_t row(ValueId id) const { return static_cast<std::size_t>(index_[index(id)]); }
  std::vector<Payload> rows_;
  std::vector<std::int32_t> index_;  // by ValueId; -1: not stored
};

// Does the tensor have exactly the data that it declares, in one field that is for its type? Unknown sizes pass.
bool sound(const Payload& payload);

}  // namespace aegis
