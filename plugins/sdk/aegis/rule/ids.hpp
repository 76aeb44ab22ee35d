// The versioned id that belongs to each struct of a fact, a query and a Request.
#pragma once

#include <aegis/aegis.h>
#include <aegis/facts.h>
#include <aegis/requests.h>

#include <aegis/rule/lists.hpp>

namespace aegis::sdk {

template <class Fact>
inline constexpr const char* fact_id = nullptr;
template <>
inline constexpr const char* fact_id<aegis_align> = AEGIS_FACT_ALIGN;
template <>
inline constexpr const char* fact_id<aegis_attention> = AEGIS_FACT_ATTENTION;
template <>
inline constexpr const char* fact_id<aegis_chain> = AEGIS_FACT_CHAIN;
template <>
inline constexpr const char* fact_id<aegis_conv> = AEGIS_FACT_CONV;
template <>
inline constexpr const char* fact_id<aegis_cost> = AEGIS_FACT_COST;
template <>
inline constexpr const char* fact_id<aegis_coverage> = AEGIS_FACT_COVERAGE;
template <>
inline constexpr const char* fact_id<aegis_cse> = AEGIS_FACT_CSE;
template <>
inline constexpr const char* fact_id<aegis_defects> = AEGIS_FACT_DEFECTS;
template <>
inline constexpr const char* fact_id<aegis_external> = AEGIS_FACT_EXTERNAL;
template <>
inline constexpr const char* fact_id<aegis_foldable> = AEGIS_FACT_FOLDABLE;
template <>
inline constexpr const char* fact_id<aegis_fusion> = AEGIS_FACT_FUSION;
template <>
inline constexpr const char* fact_id<aegis_gemm> = AEGIS_FACT_GEMM;
template <>
inline constexpr const char* fact_id<aegis_island> = AEGIS_FACT_ISLAND;
template <>
inline constexpr const char* fact_id<aegis_lifetime> = AEGIS_FACT_LIFETIME;
template <>
inline constexpr const char* fact_id<aegis_liveness> = AEGIS_FACT_LIVENESS;
template <>
inline constexpr const char* fact_id<aegis_mask> = AEGIS_FACT_MASK;
template <>
inline constexpr const char* fact_id<aegis_observed> = AEGIS_FACT_OBSERVED;
template <>
inline constexpr const char* fact_id<aegis_observed_pair> = AEGIS_FACT_OBSERVED_PAIR;
template <>
inline constexpr const char* fact_id<aegis_pattern> = AEGIS_FACT_PATTERN;
template <>
inline constexpr const char* fact_id<aegis_payload> = AEGIS_FACT_PAYLOAD;
template <>
inline constexpr const char* fact_id<aegis_range> = AEGIS_FACT_RANGE;
template <>
inline constexpr const char* fact_id<aegis_reduction> = AEGIS_FACT_REDUCTION;
template <>
inline constexpr const char* fact_id<aegis_rnn> = AEGIS_FACT_RNN;
template <>
inline constexpr const char* fact_id<aegis_role> = AEGIS_FACT_ROLE;
template <>
inline constexpr const char* fact_id<aegis_roofline> = AEGIS_FACT_ROOFLINE;
template <>
inline constexpr const char* fact_id<aegis_scan> = AEGIS_FACT_SCAN;
template <>
inline constexpr const char* fact_id<aegis_scope_cost> = AEGIS_FACT_SCOPE_COST;
template <>
inline constexpr const char* fact_id<aegis_shape_path> = AEGIS_FACT_SHAPE_PATH;
template <>
inline constexpr const char* fact_id<aegis_slots> = AEGIS_FACT_SLOTS;
template <>
inline constexpr const char* fact_id<aegis_support> = AEGIS_FACT_SUPPORT;
template <>
inline constexpr const char* fact_id<aegis_text> = AEGIS_FACT_TEXT;
template <>
inline constexpr const char* fact_id<aegis_training> = AEGIS_FACT_TRAINING;
template <>
inline constexpr const char* fact_id<aegis_type_group> = AEGIS_FACT_TYPE_GROUP;
template <>
inline constexpr const char* fact_id<aegis_waves> = AEGIS_FACT_WAVES;
template <>
inline constexpr const char* fact_id<aegis_weight_stats> = AEGIS_FACT_WEIGHT_STATS;
template <>
inline constexpr const char* fact_id<aegis_group_info> = AEGIS_FACT_GROUP;

// What a rule reads: .facts = facts<aegis_gemm, aegis_cost>.
namespace detail {
template <class... Facts>
inline constexpr const char* fact_ids[] = {fact_id<Facts>...};
}
template <class... Facts>
inline constexpr aegis_list facts = list(detail::fact_ids<Facts...>);

template <class In>
struct Query;
template <>
struct Query<aegis_pad_in> {
  static constexpr const char* id = AEGIS_QUERY_PAD;
  using Out = aegis_pad_out;
};
template <>
struct Query<aegis_cost_in> {
  static constexpr const char* id = AEGIS_QUERY_COST;
  using Out = aegis_cost;
};
template <>
struct Query<aegis_support_in> {
  static constexpr const char* id = AEGIS_QUERY_SUPPORT;
  using Out = aegis_support;
};
template <>
struct Query<aegis_opset_in> {
  static constexpr const char* id = AEGIS_QUERY_OPSET;
  using Out = aegis_opset_out;
};
template <>
struct Query<aegis_peak_in> {
  static constexpr const char* id = AEGIS_QUERY_PEAK;
  using Out = aegis_peak_out;
};

// The answer to a query, together with the question.
template <class In>
struct Answer : Query<In>::Out {
  In asked;
};

template <class Asked>
inline constexpr const char* request_id = nullptr;
template <>
inline constexpr const char* request_id<aegis_pad_dim> = AEGIS_REQUEST_PAD_DIM;
template <>
inline constexpr const char* request_id<aegis_set_type> = AEGIS_REQUEST_SET_TYPE;
template <>
inline constexpr const char* request_id<aegis_choose_type> = AEGIS_REQUEST_CHOOSE_TYPE;
template <>
inline constexpr const char* request_id<aegis_keep_wide> = AEGIS_REQUEST_KEEP_WIDE;
template <>
inline constexpr const char* request_id<aegis_set_bound> = AEGIS_REQUEST_SET_BOUND;
template <>
inline constexpr const char* request_id<aegis_raise_opset> = AEGIS_REQUEST_RAISE_OPSET;
template <>
inline constexpr const char* request_id<aegis_fuse> = AEGIS_REQUEST_FUSE;
template <>
inline constexpr const char* request_id<aegis_fold_norm> = AEGIS_REQUEST_FOLD_NORM;
template <>
inline constexpr const char* request_id<aegis_bound_constant> = AEGIS_REQUEST_BOUND_CONSTANT;
template <>
inline constexpr const char* request_id<aegis_bool_mask> = AEGIS_REQUEST_BOOL_MASK;
template <>
inline constexpr const char* request_id<aegis_fold> = AEGIS_REQUEST_FOLD;
template <>
inline constexpr const char* request_id<aegis_share_cast> = AEGIS_REQUEST_SHARE_CAST;
template <>
inline constexpr const char* request_id<aegis_drop_node> = AEGIS_REQUEST_DROP_NODE;
template <>
inline constexpr const char* request_id<aegis_drop_pair> = AEGIS_REQUEST_DROP_PAIR;
template <>
inline constexpr const char* request_id<aegis_write_shape> = AEGIS_REQUEST_WRITE_SHAPE;
template <>
inline constexpr const char* request_id<aegis_identity> = AEGIS_REQUEST_IDENTITY;
template <>
inline constexpr const char* request_id<aegis_external_data> = AEGIS_REQUEST_EXTERNAL_DATA;
template <>
inline constexpr const char* request_id<aegis_move_cast> = AEGIS_REQUEST_MOVE_CAST;
template <>
inline constexpr const char* request_id<aegis_drop_cast> = AEGIS_REQUEST_DROP_CAST;
template <>
inline constexpr const char* request_id<aegis_lift_epsilon> = AEGIS_REQUEST_LIFT_EPSILON;
template <>
inline constexpr const char* request_id<aegis_rescale_pow2> = AEGIS_REQUEST_RESCALE_POW2;
template <>
inline constexpr const char* request_id<aegis_reduce_peak> = AEGIS_REQUEST_REDUCE_PEAK;
template <>
inline constexpr const char* request_id<aegis_recompute> = AEGIS_REQUEST_RECOMPUTE;
template <>
inline constexpr const char* request_id<aegis_barrier> = AEGIS_REQUEST_BARRIER;
template <>
inline constexpr const char* request_id<aegis_drain> = AEGIS_REQUEST_DRAIN;

using PadDim = aegis_pad_dim;
using SetType = aegis_set_type;
using ChooseType = aegis_choose_type;
using KeepWide = aegis_keep_wide;
using SetBound = aegis_set_bound;
using RaiseOpset = aegis_raise_opset;
using Fuse = aegis_fuse;
using FoldNorm = aegis_fold_norm;
using BoundConstant = aegis_bound_constant;
using BoolMask = aegis_bool_mask;
using Fold = aegis_fold;
using ShareCast = aegis_share_cast;
using DropNode = aegis_drop_node;
using DropPair = aegis_drop_pair;
using WriteShape = aegis_write_shape;
using Identity = aegis_identity;
using ExternalData = aegis_external_data;
using MoveCast = aegis_move_cast;
using DropCast = aegis_drop_cast;
using LiftEpsilon = aegis_lift_epsilon;
using RescalePow2 = aegis_rescale_pow2;
using ReducePeak = aegis_reduce_peak;
using Recompute = aegis_recompute;
using Barrier = aegis_barrier;
using Drain = aegis_drain;

}  // namespace aegis::sdk
