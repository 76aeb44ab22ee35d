#include "rewriter/padding/lane_map.hpp"

namespace aegis::padding {

LaneMap LaneMap::identity(std::int64_t lanes) {
  LaneMap map;
  map.append(Run{lanes, true});
  return map;
}

LaneMap LaneMap::suffix(std::int64_t valid, std::int64_t total) {
  LaneMap map = identity(valid);
  map.append(Run{total - valid, false});
  return map;
}

void LaneMap::append(Run run) {
  if (run.lanes <= 0) return;
  total_ += run.lanes;
  if (run.valid) valid_ += run.lanes;
  if (!runs_.empty() && runs_.back().valid == run.valid) {
    runs_.back().lanes += run.lanes;
  } else {
    runs_.push_back(run);
  }
}

void LaneMap::append(const LaneMap& other) {
  for (const Run& run : other.runs_) append(run);
}

LaneMap LaneMap::times(const LaneMap& inner) const {
  LaneMap merged;
  for (const Run& run : runs_) {
    if (!run.valid || !inner.padded()) {
      merged.append(Run{run.lanes * inner.total(), run.valid});
      continue;
    }
    for (std::int64_t lane = 0; lane < run.lanes; ++lane) merged.append(inner);
  }
  return merged;
}

std::vector<std::pair<std::int64_t, std::int64_t>> LaneMap::pairs() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  for (const Run& run : runs_) {
    if (run.valid) {
      out.emplace_back(run.lanes, 0);
    } else if (out.empty()) {
      out.emplace_back(0, run.lanes);
    } else {
      out.back().second = run.lanes;
    }
  }
  return out;
}

std::string LaneMap::text() const {
  std::string out;
  for (const Run& run : runs_) {
    if (!out.empty()) out += ' ';
    out += (run.valid ? "v" : "p") + std::to_string(run.lanes);
  }
  return out;
}

}  // namespace aegis::padding
