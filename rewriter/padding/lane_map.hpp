// LaneMap: the runs of valid and padding lanes along one axis, such as v50 p6 or (v20 p4)x16. Adjacent runs of one kind
// are merged, so equal maps compare equal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aegis::padding {

class LaneMap {
 public:
  struct Run {
    std::int64_t lanes = 0;
    bool valid = true;
    friend bool operator==(const Run&, const Run&) = default;
  };

  LaneMap() = default;
  static LaneMap identity(std::int64_t lanes);
  static LaneMap suffix(std::int64_t valid, std::int64_t total);

  std::span<const Run> runs() const { return runs_; }
  std::int64_t valid() const { return valid_; }
  std::int64_t total() const { return total_; }
  bool padded() const { return total_ != valid_; }
  bool suffix_only() const { return runs_.size() <= 2 && (runs_.empty() || runs_[0].valid); }

  void append(Run run);
  void append(const LaneMap& other);
  // The map of a merged axis: every valid lane of this one becomes a copy of `inner`, every padding lane is padding.
  LaneMap times(const LaneMap& inner) const;

  // Pairs (valid, padding) as Origin::Axis keeps them.
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs() const;
  std::string text() const;  // "v5 p3 v11 p5"

  friend bool operator==(const LaneMap&, const LaneMap&) = default;

 private:
  std::vector<Run> runs_;
  std::int64_t valid_ = 0, total_ = 0;
};

}  // namespace aegis::padding
