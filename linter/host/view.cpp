#include "linter/host/view.hpp"

#include "linter/abi.hpp"

namespace aegis::host {

template <class T>
static aegis_list list_of(const std::vector<T>& items) {
  return {items.data(), static_cast<std::uint32_t>(items.size()), static_cast<std::uint32_t>(sizeof(T))};
}

ViewState::ViewState(FactTable& facts) : facts_(&facts), graph_(facts) {
  const View& view = facts.view();
  const Target& target = facts.target();
  std::uint32_t flags = 0;
  if (view.tf32) flags |= AEGIS_VIEW_TF32;
  if (view.old_library) flags |= AEGIS_VIEW_OLD_LIBRARY;
  if (view.weights) flags |= AEGIS_VIEW_WEIGHTS;
  if (view.data) flags |= AEGIS_VIEW_DATA;
  if (view.assumed) flags |= AEGIS_VIEW_ASSUMED;
  info_ = {.struct_size = sizeof info_,
           .index = view.index,
           .count = view.count,
           .runtime = view.runtime,
           .flags = flags,
           .planned = view.planned,
           .order = AEGIS_ORDER_FILE,
           .zero = 0,
           .target = abi::str(target.id),
           .runtime_version = abi::str(view.runtime_version),
           .opset_max = 0,
           .ir_max = 0};
  for (const Rate& rate : target.rates) {
    rates_.push_back({.struct_size = sizeof(aegis_rate),
                      .dtype = rate.compute,
                      .tflops = rate.tflops,
                      .ceiling = rate.ceiling,
                      .ridge = rate.ridge,
                      .confidence = rate.confidence,
                      .zero = 0});
  }
  for (const Tile& tile : target.tiles) {
    tiles_.push_back({static_cast<std::uint32_t>(tile.m), static_cast<std::uint32_t>(tile.n)});
  }
  target_ = {.struct_size = sizeof target_,
             .cc = static_cast<std::uint32_t>(target.cc),
             .sm_count = static_cast<std::uint32_t>(target.sm_count),
             .blocks_per_sm = static_cast<std::uint32_t>(target.blocks_per_sm),
             .id = abi::str(target.id),
             .arch = abi::str(target.arch),
             .rates = list_of(rates_),
             .tiles = list_of(tiles_),
             .mem_bw_gbs = target.mem_bw_gbs,
             .bandwidth_fraction = target.bandwidth_fraction,
             .l2_bytes = target.l2_bytes,
             .mem_bytes = target.mem_bytes,
             .launch_us_stream = target.launch_us_stream,
             .launch_us_graph = target.launch_us_graph,
             .host_link_gbs = target.host_link_gbs,
             .host_sync_us = target.host_sync_us};
}

const aegis_rate* ViewState::rate(aegis_dtype dtype) const {
  for (const aegis_rate& rate : rates_) {
    if (rate.dtype == dtype) return &rate;
  }
  return nullptr;
}

std::span<const aegis_node> ViewState::members(aegis_group group) const {
  const auto* info = facts_->get<aegis_group_info>(id_of(group));
  return info ? sdk::items(info->members) : std::span<const aegis_node>();
}

std::uint64_t ViewState::structure(aegis_node node) const {
  if (node.id == AEGIS_NONE) return 0;
  const auto* info = facts_->get<aegis_group_info>(id_of(node));
  return info ? info->hash : 0;
}

}  // namespace aegis::host
