#include "rewriter/recast/raise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rewriter/recast/convert_node.hpp"
#include "rewriter/recast/groups.hpp"

namespace aegis::recast {
namespace {

struct Step {
  std::string_view op;
  std::int64_t to;
};
// From opset 7 on, every other step between two versions of an operator only adds types or attributes whose defaults
// mean what the version before meant.
constexpr std::array steps = {
    Step{"BatchNormalization", 9},
    Step{"Scan", 9},
    Step{"Upsample", 9},
    Step{"Slice", 10},
    Step{"TopK", 10},
    Step{"Upsample", 10},
    Step{"Clip", 11},
    Step{"Pad", 11},
    Step{"Resize", 11},
    Step{"Scatter", 11},
    Step{"Dropout", 12},
    Step{"LogSoftmax", 13},
    Step{"ReduceSum", 13},
    Step{"Softmax", 13},
    Step{"Split", 13},
    Step{"Squeeze", 13},
    Step{"Unsqueeze", 13},
    Step{"BatchNormalization", 14},
    Step{"GRU", 14},
    Step{"LSTM", 14},
    Step{"RNN", 14},
    Step{"RoiAlign", 16},
    Step{"LpPool", 18},
    Step{"ReduceL1", 18},
    Step{"ReduceL2", 18},
    Step{"ReduceLogSum", 18},
    Step{"ReduceLogSumExp", 18},
    Step{"ReduceMax", 18},
    Step{"ReduceMean", 18},
    Step{"ReduceMin", 18},
    Step{"ReduceProd", 18},
    Step{"ReduceSumSquare", 18},
    Step{"Split", 18},
    Step{"DFT", 20},
    Step{"GridSample", 20},
    Step{"GroupNormalization", 21},
};
constexpr std::int64_t all_steps_known_from = 7;

// Initializers that IR 3 lists as inputs would turn into parameters of the caller above it.
bool lists_weights_as_inputs(const Model& model) {
  return model.ir_version() < 4 &&
         std::ranges::any_of(
             model.main().inputs, [&](ValueId id) { return id != ValueId::none && model.value(id).initializer; });
}

}  // namespace

bool changes(const Node& node, std::int64_t from, std::int64_t to) {
  if (!node.domain.empty() || node.function != ScopeId::none) return false;
  if (node.op == "Constant" || since_version(node, from) == since_version(node, to)) return false;
  if (from < all_steps_known_from && node.bodies.empty()) return true;
  return std::ranges::any_of(steps,
                             [&](const Step& step) { return step.op == node.op && from < step.to && step.to <= to; });
}

std::int64_t ir_version_for(std::int64_t opset) {
  struct Pair {
    std::int64_t opset, ir;
  };
  constexpr std::array pairs = {Pair{28, 14}, Pair{25, 13}, Pair{24, 12}, Pair{23, 11}, Pair{21, 10},
                                Pair{19, 9},  Pair{15, 8},  Pair{12, 7},  Pair{11, 6},  Pair{0, 4}};
  return std::ranges::find_if(pairs, [&](const Pair& pair) { return opset >= pair.opset; })->ir;
}

Result<Patch> raise(const Model& model, const TypeTable& types, std::int64_t opset) {
  const std::int64_t from = model.opset();
  Patch patch{.pass = "raise_opset", .label = fmt::format("opset {} -> {}", from, opset), .safety = Safety::exact};
  FreshNames names(model);
  NodeConverter converter(model, types, opset);
  for (const Node& node : model.nodes()) {
    if (!node.alive || !changes(node, from, opset)) continue;
    if (in_function(model, node.scope) || !node.bodies.empty()) {
      return Error{
          .message = fmt::format("{} changes from opset {} to {} {}, and is not converted there", node.op, from, opset,
                                 node.bodies.empty() ? "inside a function" : "together with its body"),
          .where = label(model, node.id)};
    }
    AEGIS_CHECK(converter.convert(node, names, patch.edits));
  }
  patch.edits.emplace_back(edit::SetOpset{"", opset});
  const std::int64_t ir = ir_version_for(opset);
  if (model.ir_version() < ir && !lists_weights_as_inputs(model)) patch.edits.emplace_back(edit::SetIrVersion{ir});
  return patch;
}

}  // namespace aegis::recast
