#include "validator/compare/padding_check.hpp"

#include <fmt/format.h>

#include "model/attribute.hpp"
#include "validator/compare/crop.hpp"

namespace aegis {
namespace {

// Only padding at the end of the axis keeps the numbers of the valid lanes.
std::optional<std::int64_t> valid_extent(const std::vector<Origin::Axis>& axes, std::int64_t axis, std::int64_t rank) {
  for (const Origin::Axis& padded : axes) {
    const std::int64_t at = padded.axis < 0 ? padded.axis + rank : padded.axis;
    if (at == (axis < 0 ? axis + rank : axis) && padded.runs.size() == 1) return padded.runs[0].first;
  }
  return std::nullopt;
}

}  // namespace

double lane_tolerance(ChangeClass change) {
  switch (change) {
    case ChangeClass::exact:
    case ChangeClass::same: return 0;
    case ChangeClass::rescaled:
    case ChangeClass::close: return 1e-5;
    case ChangeClass::tf32:
    case ChangeClass::f16: return 0x1p-8;
    case ChangeClass::bf16: return 0x1p-5;
  }
  return 0;
}

PaddingCheck::PaddingCheck(const Model& after, const Pairing& pairing, ChangeClass change)
    : tolerance_(lane_tolerance(change)) {
  if (!pairing.any_padding()) return;
  for (const Value& value : after.values()) {
    if (!value.alive) continue;
    if (auto pair = pairing.of(value.id); !pair.axes.empty()) lanes_.emplace(value.id, std::move(pair.axes));
  }
  for (const Node& node : after.nodes()) {
    const bool topk = node.op == "TopK";
    if (!node.alive || node.inputs.empty() || !(topk || node.op == "ArgMax" || node.op == "ArgMin")) continue;
    if (!lanes_.contains(node.inputs[0]) || node.outputs.size() <= static_cast<std::size_t>(topk)) continue;
    indices_.emplace(node.outputs[topk ? 1 : 0],
                     Index{node.inputs[0], attribute(node, "axis", topk ? std::int64_t{-1} : std::int64_t{0})});
  }
}

void PaddingCheck::value(NodeId node, ValueId id, const Tensor& tensor) {
  if (fault_) return;
  if (const auto at = indices_.find(id); at != indices_.end()) {
    const Index& index = at->second;
    const auto limit = valid_extent(lanes_.at(index.data), index.axis, ranks_[index.data]);
    const auto picked = to_integers(tensor);
    for (const std::int64_t i : limit&& picked ? *picked : std::vector<std::int64_t>{})
      if (i >= *limit) {
        fault_ = Fault{node, id, fmt::format("index {} points at a padding lane, expected one below {}", i, *limit)};
        return;
      }
  }
  const auto at = lanes_.find(id);
  if (at == lanes_.end()) return;
  ranks_[id] = static_cast<std::int64_t>(tensor.dims.size());
  const auto found = lane_fault(tensor, at->second, tolerance_);
  if (!found)
    fault_ = Fault{node, id, found.error().message};
  else if (*found)
    fault_ = Fault{node, id,
                   fmt::format("the padding lane at [{}] holds {}, expected {}", fmt::join((*found)->at, ", "),
                               (*found)->found, (*found)->expected)};
}

}  // namespace aegis
