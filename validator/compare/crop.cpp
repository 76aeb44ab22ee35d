#include "validator/compare/crop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace aegis {
namespace {

// Per axis: for each lane of the padded tensor its place in the valid one, or -1.
using LaneMap = std::vector<std::vector<std::int64_t>>;

Error bad_map(std::string message) {
  return Error{.fault = Fault::internal, .code = {}, .message = std::move(message), .where = {}, .notes = {}};
}

Result<LaneMap> lane_map(const std::vector<std::int64_t>& dims, const std::vector<Origin::Axis>& axes) {
  LaneMap map(dims.size());
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    map[axis].resize(static_cast<std::size_t>(std::max<std::int64_t>(dims[axis], 0)));
    for (std::size_t lane = 0; lane < map[axis].size(); ++lane) map[axis][lane] = static_cast<std::int64_t>(lane);
  }
  for (const Origin::Axis& axis : axes) {
    const int rank = static_cast<int>(dims.size()), at = axis.axis < 0 ? axis.axis + rank : axis.axis;
    if (at < 0 || at >= rank)
      return bad_map(
          fmt::format("a channel map speaks of axis {}, the value has {} axes; the pass that padded it must "
                      "declare an axis of the value",
                      axis.axis, rank));
    std::vector<std::int64_t> lanes;
    std::int64_t place = 0, total = 0;
    for (const auto& [valid, padding] : axis.runs) total += valid + padding;
    if (total != dims[static_cast<std::size_t>(at)])
      return bad_map(
          fmt::format("a channel map covers {} lanes, axis {} has {}; the pass that padded the value must "
                      "declare every lane",
                      total, at, dims[static_cast<std::size_t>(at)]));
    for (const auto& [valid, padding] : axis.runs) {
      for (std::int64_t i = 0; i < valid; ++i) lanes.push_back(place++);
      lanes.insert(lanes.end(), static_cast<std::size_t>(padding), -1);
    }
    map[static_cast<std::size_t>(at)] = std::move(lanes);
  }
  return map;
}

std::vector<std::int64_t> valid_dims(const LaneMap& map) {
  std::vector<std::int64_t> dims;
  for (const auto& lanes : map) dims.push_back(std::ranges::count_if(lanes, [](std::int64_t l) { return l >= 0; }));
  return dims;
}

// Calls each(flat place in the padded tensor, flat place in the valid one or -1, position).
template <class Each>
void walk(const LaneMap& map, Each each) {
  std::vector<std::int64_t> valid = valid_dims(map), at(map.size(), 0);
  for (const auto& lanes : map)
    if (lanes.empty()) return;
  for (std::int64_t flat = 0;; ++flat) {
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < map.size() && place >= 0; ++axis) {
      const std::int64_t lane = map[axis][static_cast<std::size_t>(at[axis])];
      place = lane < 0 ? -1 : place * valid[axis] + lane;
    }
    each(flat, place, at);
    std::size_t axis = map.size();
    while (axis > 0 && ++at[axis - 1] == static_cast<std::int64_t>(map[axis - 1].size())) at[--axis] = 0;
    if (axis == 0) return;
  }
}

Result<std::size_t> element_size(DType type) {
  const int width = bits(type);
  if (width < 8) return bad_map(fmt::format("values of type {} cannot be cropped; expected whole bytes", name(type)));
  return static_cast<std::size_t>(width / 8);
}

double rounded(DType type, double value) {
  const double values[] = {value};
  const auto back = to_doubles(from_doubles(type, {}, values));
  return back ? back->front() : value;
}

}  // namespace

Result<Tensor> crop(const Tensor& padded, const std::vector<Origin::Axis>& axes) {
  AEGIS_TRY(const LaneMap map, lane_map(padded.dims, axes));
  AEGIS_TRY(const std::size_t size, element_size(padded.type));
  Tensor out = Tensor::zeros(padded.type, valid_dims(map));
  walk(map, [&](std::int64_t flat, std::int64_t place, const auto&) {
    if (place >= 0)
      std::memcpy(out.data->data() + static_cast<std::size_t>(place) * size,
                  padded.data->data() + static_cast<std::size_t>(flat) * size, size);
  });
  return out;
}

Result<std::optional<LaneFault>> lane_fault(const Tensor& padded, const std::vector<Origin::Axis>& axes,
                                            double tolerance) {
  AEGIS_TRY(const LaneMap map, lane_map(padded.dims, axes));
  std::vector<std::optional<double>> constants(padded.dims.size());
  for (const Origin::Axis& axis : axes) {
    const auto at =
        static_cast<std::size_t>(axis.axis < 0 ? axis.axis + static_cast<int>(padded.dims.size()) : axis.axis);
    if (axis.lane) constants[at] = rounded(padded.type, *axis.lane);
  }
  AEGIS_TRY(const std::vector<double> values, to_doubles(padded));
  std::optional<LaneFault> fault;
  walk(map, [&](std::int64_t flat, std::int64_t place, const std::vector<std::int64_t>& at) {
    if (place >= 0 || fault) return;
    std::size_t padding_axes = 0, which = 0;
    for (std::size_t axis = 0; axis < map.size(); ++axis)
      if (map[axis][static_cast<std::size_t>(at[axis])] < 0) {
        ++padding_axes;
        which = axis;
      }
    if (padding_axes != 1 || !constants[which]) return;
    const double found = values[static_cast<std::size_t>(flat)], expected = *constants[which];
    if (found != expected && !(std::fabs(found - expected) <= tolerance * std::max(1.0, std::fabs(expected))))
      fault = LaneFault{.at = at, .found = found, .expected = expected};
  });
  return fault;
}

Result<Tensor> embed(const Tensor& valid, const std::vector<std::int64_t>& dims,
                     const std::vector<Origin::Axis>& axes) {
  AEGIS_TRY(const LaneMap map, lane_map(dims, axes));
  if (valid_dims(map) != valid.dims) return bad_map("a channel map does not fit the value that it was made for");
  AEGIS_TRY(const std::size_t size, element_size(valid.type));
  Tensor out = Tensor::zeros(valid.type, dims);
  std::vector<Tensor> constants(dims.size());
  for (const Origin::Axis& axis : axes) {
    const auto at = static_cast<std::size_t>(axis.axis < 0 ? axis.axis + static_cast<int>(dims.size()) : axis.axis);
    const double lane[] = {axis.lane.value_or(0)};
    constants[at] = from_doubles(valid.type, {}, lane);
  }
  walk(map, [&](std::int64_t flat, std::int64_t place, const std::vector<std::int64_t>& at) {
    std::byte* to = out.data->data() + static_cast<std::size_t>(flat) * size;
    if (place >= 0) {
      std::memcpy(to, valid.data->data() + static_cast<std::size_t>(place) * size, size);
      return;
    }
    for (std::size_t axis = 0; axis < map.size(); ++axis)
      if (map[axis][static_cast<std::size_t>(at[axis])] < 0) {
        std::memcpy(to, constants[axis].data->data(), size);
        return;
      }
  });
  return out;
}

}  // namespace aegis
