// TaskScore: how many samples each model gets right. Labels belong to the rows of the first output that looks like
// class scores: floats, rank two or more, two or more classes along the last axis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

class TaskScore {
 public:
  explicit TaskScore(std::vector<std::int64_t> labels) : labels_(std::move(labels)) {}

  // The outputs of one input set; sets come in the order of the labels.
  void add(const std::vector<Tensor>& before, const std::vector<Tensor>& after);

  struct Score {
    std::size_t output = 0;  // position of the output that was read
    std::uint64_t n = 0;
    double top1_before = 0, top1_after = 0;
  };
  // `partial`: some samples were left out. Errors (usage): labels and rows that do not count the same, a label
  // that is no class.
  Result<Score> finish(bool partial, const std::string& where) const;

 private:
  std::vector<std::int64_t> labels_;
  std::uint64_t rows_ = 0, right_before_ = 0, right_after_ = 0;
  std::size_t output_ = 0;
  std::int64_t classes_ = 0;
};

}  // namespace aegis
