// Maker: how the elements of one made-up input are drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"
#include "validator/inputs/input_spec.hpp"
#include "validator/inputs/make_inputs.hpp"

namespace aegis {

// What makes one set unlike the ordinary ones.
enum class SetKind : std::uint8_t { ordinary, scaled, ragged, masked };

struct Maker {
  enum class Kind : std::uint8_t {
    normal,    // N(0, 1)
    uniform,   // floats in [low, high]
    integers,  // in [low, high)
    choices,   // one of `choices`
    bits,      // 0 or 1
    mask,      // ones with a tail of zeros along the last axis
    arange,    // 0, 1, 2 ... along the last axis, below `high` when that is set
    state,     // zeros in set 0, N(0, 1) later
    constant,  // low
    image,     // a smooth pattern with noise in 0 .. high
    waves,     // a sum of sines with noise
  };
  Kind kind = Kind::normal;
  double low = 0, high = 0;
  std::vector<std::int64_t> choices;
  bool declared = false;  // by the user: a scaled set leaves it alone
  std::string source;     // in words, for the report
};

Maker choose_maker(const Model& model, const TypeTable& types, const InputSpec& spec,
                   const std::vector<std::int64_t>& shape, const MakeOptions& options);

Tensor make_tensor(const Maker& maker, const InputSpec& spec, const std::vector<std::int64_t>& shape,
                   std::uint64_t seed, int set, SetKind kind);

}  // namespace aegis
