// aegis inspect: the model at a glance, layer by layer: sizes, FLOPs, bytes, intensity, what bounds each, time.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/asked.hpp"
#include "cli/asked_names.hpp"
#include "cli/command.hpp"
#include "cli/document.hpp"
#include "cli/inspect_text.hpp"
#include "cli/onnx_info.hpp"
#include "cli/settings.hpp"
#include "exec/run.hpp"
#include "ops/facts.hpp"

using namespace aegis;

namespace {

Json dim_json(const Dim& dim, const TypeTable& types) {
  if (dim.known()) return dim.extent;
  if (dim.kind == Dim::Kind::symbol && dim.symbol < types.symbols.size()) return types.symbols[dim.symbol].name;
  return nullptr;
}

Json dim_json(const aegis_dim& dim) { return dim.kind == AEGIS_DIM_VALUE ? Json(dim.value) : Json(nullptr); }

Json value_json(const Model& model, ValueId id, const TypeTable& types) {
  const ValueType& type = types.of(id);
  Json shape = nullptr;
  if (type.ranked()) {
    shape = Json::array();
    for (const Dim& dim : *type.dims) shape.push_back(dim_json(dim, types));
  }
  return Json{{"name", model.value(id).name},
              {"dtype", type.dtype == DType::undefined ? Json(nullptr) : Json(name(type.dtype))},
              {"shape", shape}};
}

Json graph_json(const Model& model, const TypeTable& types) {
  Json graph{{"inputs", Json::array()},
             {"outputs", Json::array()},
             {"opset", model.opset()},
             {"ir", model.ir_version()},
             {"producer", nullptr}};
  for (ValueId id : model.main().inputs)
    if (!model.value(id).initializer) graph["inputs"].push_back(value_json(model, id, types));
  for (ValueId id : model.main().outputs) graph["outputs"].push_back(value_json(model, id, types));
  if (std::string producer = producer_of(model); !producer.empty()) graph["producer"] = producer;
  graph["symbols"] = Json::object();
  for (const Symbol& symbol : types.symbols)
    graph["symbols"][symbol.name] = Json{{"bound", symbol.bound ? Json(*symbol.bound) : Json(nullptr)},
                                         {"assumed", symbol.assumed ? Json(*symbol.assumed) : Json(nullptr)}};
  return graph;
}

Json bound_json(std::uint32_t bound) {
  switch (bound) {
    case AEGIS_BOUND_COMPUTE: return "compute";
    case AEGIS_BOUND_MEMORY: return "memory";
    case AEGIS_BOUND_LAUNCH: return "launch";
    case AEGIS_BOUND_FREE: return "free";
    default: return nullptr;
  }
}

Json layer_json(FactTable& facts, const Node& node) {
  Json layer{
      {"scope", facts.model().scope(node.scope).path},
      {"node", label(facts.model(), node.id)},
      {"op", node.op},
      {"m", nullptr},
      {"n", nullptr},
      {"k", nullptr},
      {"flops", nullptr},
      {"bytes", nullptr},
      {"intensity", nullptr},
      {"bound", nullptr},
      {"time_us", nullptr},
      {"bytes_op_by_op", nullptr},
      {"time_us_op_by_op", nullptr},
      {"percent", nullptr},
      {"batch", nullptr},
      {"group", facts.group_of(node.id) == GroupId::none ? Json(nullptr) : Json(index(facts.group_of(node.id)))}};
  if (const auto* gemm = facts.get<aegis_gemm>(node.id)) {
    layer["m"] = dim_json(gemm->m.dim);
    layer["n"] = dim_json(gemm->n.dim);
    layer["k"] = dim_json(gemm->k.dim);
    layer["batch"] = dim_json(gemm->batch.dim);
  } else if (const auto* conv = facts.get<aegis_conv>(node.id)) {
    layer["m"] = dim_json(conv->m);
    layer["n"] = dim_json(conv->n);
    layer["k"] = dim_json(conv->k);
    layer["batch"] = conv->group;
  }
  if (const auto* cost = facts.get<aegis_cost>(node.id)) {
    layer["flops"] = number_or_null(cost->flops);
    layer["bytes"] = number_or_null(cost->bytes.fused);
    layer["bytes_op_by_op"] = number_or_null(cost->bytes.op);
    layer["time_us"] = number_or_null(cost->time_us.fused);
    layer["time_us_op_by_op"] = number_or_null(cost->time_us.op);
    layer["percent"] = number_or_null(cost->percent.fused);
  }
  if (const auto* roofline = facts.get<aegis_roofline>(node.id)) {
    layer["intensity"] = number_or_null(roofline->intensity.fused);
    layer["bound"] = bound_json(roofline->bound_fused);
  }
  return layer;
}

Result<Exit> run(const Settings& all, Io& io, Json& document) {
  const std::string& path = all.operands()[0];
  const Settings settings = all.for_model(path);
  AEGIS_TRY(const Binding binding, asked_binding(settings));
  AEGIS_TRY(const std::vector<Target> targets, asked_targets(settings));
  AEGIS_TRY(const LintOptions asked, asked_lint(settings, targets, nullptr));
  enter(io, Phase::loading);
  AEGIS_TRY(const Model model, load_asked(path, settings, io));
  AEGIS_CHECK(check_asked_names(settings, model));
  *io.err << default_target_note(settings);
  enter(io, Phase::linting);
  const TypeTable types = infer(model, binding);
  const CpuEvaluator evaluator;
  View view{.planned = asked.as.empty() ? 0 : asked.as.front(), .runtime = static_cast<std::uint32_t>(asked.runtime)};
  for (const Symbol& symbol : types.symbols) view.assumed |= symbol.assumed.has_value();
  FactTable facts(model, types, targets.front(), view, &evaluator);

  document["path"] = path;
  document["target"] = targets.front().id;
  document["graph"] = graph_json(model, types);
  Json total{{"flops", nullptr},
             {"bytes", nullptr},
             {"bytes_op_by_op", nullptr},
             {"time_us", nullptr},
             {"time_us_op_by_op", nullptr},
             {"unknown_nodes", nullptr}};
  if (const auto* cost = facts.get<aegis_cost>()) {
    total["flops"] = number_or_null(cost->flops);
    total["bytes"] = number_or_null(cost->bytes.fused);
    total["bytes_op_by_op"] = number_or_null(cost->bytes.op);
    total["time_us"] = number_or_null(cost->time_us.fused);
    total["time_us_op_by_op"] = number_or_null(cost->time_us.op);
    total["unknown_nodes"] = cost->unknown_nodes;
  }
  document["total"] = std::move(total);
  Json& layers = document["layers"] = Json::array();
  for (const Node& node : model.nodes())
    if (node.alive) layers.push_back(layer_json(facts, node));
  return Exit::clean;
}

constexpr std::string_view options[] = {
    "target", "devices", "runtime", "as", "bind", "shapes", "no-assume", "external-data-policy", "pointers"};

}  // namespace

AEGIS_COMMAND(inspect) = {
    .name = "inspect",
    .operands = "MODEL",
    .summary = "the model at a glance: sizes, FLOPs, bytes, intensity and what bounds each layer",
    .detail =
        "Times and bytes are predictions from shapes, for the first target. Equal layers share a row of the table.",
    .order = 11,
    .options = options,
    .run = run,
    .isolated = true,
    .text = inspect_text};
