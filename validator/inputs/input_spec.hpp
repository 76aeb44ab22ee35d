// InputSpec: what a model asks for at each graph input; FeedSets: the inputs of several runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis {

struct InputSpec {
  std::string name;
  ValueId id = ValueId::none;
  std::size_t position = 0;  // in the graph's list of inputs, those with an initializer included
  DType dtype = DType::undefined;
  std::optional<std::vector<Dim>> dims;  // absent: any shape
  bool required = true;                  // false: an initializer gives its value when nobody else does
};

// Every graph input, in order. Errors (validation): an input that is no tensor or holds text: no engine
// takes it.
Result<std::vector<InputSpec>> input_specs(const Model& model, const TypeTable& types);

// Extents in words: "Nx3x224x224"; "?" where nothing is known.
std::string dims_text(const std::optional<std::vector<Dim>>& dims, std::span<const Symbol> symbols = {});

struct InputUsed {
  std::string name, dtype;
  std::vector<std::int64_t> shape;  // in the first set
  std::string source;               // "heldout.npz", "normal", "integers in [0, 32000) (Gather at /embed)", ...
};

struct FeedSet {
  std::string label;  // "2", "5 (scaled by 8)"
  Feeds feeds;        // empty while FeedSets::make is there to make them
};

struct FeedSets {
  std::vector<FeedSet> sets;
  std::function<Feeds(std::size_t set)> make;  // made-up inputs live only while their set runs; null: all are in `sets`
  std::string source;                          // "synthetic", or the path that was read
  std::vector<InputUsed> used;
  std::vector<std::string> notes;  // what was left out: "3 samples of 363 do not fill a batch of 8"

  Feeds feeds(std::size_t set) const { return make ? make(set) : sets[set].feeds; }
};

}  // namespace aegis
