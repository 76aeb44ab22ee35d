// Pass: plans patches for a model; never applies them. A second run on the result finds nothing.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/patch.hpp"
#include "ops/evaluator.hpp"
#include "ops/infer.hpp"

namespace aegis {

struct Target;

struct PaddingOptions {
  enum class Gate : std::uint8_t { predicted, off } gate = Gate::predicted;
  std::int64_t multiple = 0;  // 0: what dtype and target ask for
  double max_tensor_growth = 1.35, max_flop_growth = 1.25, max_file_growth = 1.10, max_activation_growth = 1.05;
  bool grouped = false, best = false;
};

struct PrecisionOptions {
  DType to = DType::undefined;    // f16, bf16; undefined: no recast
  std::vector<std::string> keep;  // globs over node names that stay wide
  std::int64_t max_opset = 0;     // 0: the highest that the runtime and the library know
  std::string runtime = "any";
  std::vector<std::pair<NodeId, std::string>> pins;         // nodes that rules keep wide, with the rule's code
  std::vector<std::pair<ValueId, std::string>> value_pins;  // values that rules keep FLOAT, likewise
};

// What is asked of rewrite(); each pass says by `wanted` whether it takes part.
struct RewriteRequest {
  bool pad = false;  // pad_dims, by `padding`; it folds the shape arithmetic that it touches
  PaddingOptions padding;
  PrecisionOptions precision;        // recast_float when `precision.to` is set
  DType compute = DType::undefined;  // what the model will run in; undefined: `precision.to`, else as stored
};

struct PassInput {
  const Model* model = nullptr;
  const TypeTable* types = nullptr;
  const Target* target = nullptr;
  const Evaluator* evaluator = nullptr;
  const Binding* binding = nullptr;  // what symbols stand for when a gain is judged; `types` is without it
  PaddingOptions padding;
  PrecisionOptions precision;
  DType compute = DType::undefined;  // the type the model will run in after a recast; undefined: as stored
};

struct Refusal {
  std::string pass, reason, detail;  // reason: one stable word, such as "border_cost"
  NodeId node = NodeId::none;
};

struct PassOutput {
  std::vector<Patch> patches;
  std::vector<Refusal> refused;
  struct DimChange {
    std::string dim;  // symbol or "value@axis"
    std::int64_t from = 0, to = 0;
    std::vector<std::string> tensors;
  };
  std::vector<DimChange> dims;
  struct Wide {
    NodeId node = NodeId::none;
    std::string cause;  // "schema: ...", "PR318", "kept by the user"
  };
  std::vector<Wide> wide;
  std::uint64_t nodes_low = 0, casts_added = 0, casts_dropped = 0;
};

struct Pass {
  std::string_view name;
  Safety safety = Safety::exact;
  int order = 0;          // passes run from the lowest to the highest: 20 pads, 30 raises the opset, 40 recasts
  bool prepares = false;  // its change only serves later passes: it is taken back when none of them changes anything
  bool (*wanted)(const RewriteRequest& request) = nullptr;
  Result<PassOutput> (*plan)(const PassInput& input) = nullptr;
};

std::span<const Pass* const> passes();  // generated from rewriter/passes/*.cpp, sorted by name
const Pass* find_pass(std::string_view name);

}  // namespace aegis

#define AEGIS_PASS(stem)                        \
  extern const ::aegis::Pass aegis_pass_##stem; \
  constinit const ::aegis::Pass aegis_pass_##stem
