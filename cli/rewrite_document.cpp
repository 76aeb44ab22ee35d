#include "cli/rewrite_document.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/document.hpp"
#include "model/out_of_memory.hpp"

namespace aegis {
namespace {

Json patch_json(const Patch& patch) {
  std::uint64_t added = 0, removed = 0, tensors = 0;
  for (const Edit& edit : patch.edits) {
    added += std::holds_alternative<edit::InsertNode>(edit);
    removed += std::holds_alternative<edit::DropNode>(edit);
    tensors += std::holds_alternative<edit::SetTensor>(edit) || std::holds_alternative<edit::AddTensor>(edit);
  }
  return Json{{"pass", patch.pass},
              {"label", patch.label},
              {"safety", name(patch.safety)},
              {"nodes_added", added},
              {"nodes_removed", removed},
              {"tensors_changed", tensors},
              {"same_bits", patch.same_bits || patch.safety == Safety::exact}};
}

// Where a refusal or a wide node stands: "scope" and "node", both null when it is about the model.
void put_place(const Model& model, NodeId node, Json& entry) {
  entry["scope"] = node == NodeId::none ? Json(nullptr) : Json(model.scope(model.node(node).scope).path);
  entry["node"] = node == NodeId::none ? Json(nullptr) : Json(label(model, node));
}

std::uint64_t cast_count(const Model& model) {
  return static_cast<std::uint64_t>(std::count_if(model.nodes().begin(), model.nodes().end(), [](const Node& node) {
    return node.alive && node.op == "Cast" && node.domain.empty();
  }));
}

Json precision_json(const Model& before, const RewriteOutcome& outcome) {
  Json json{{"nodes_low", 0},
            {"nodes_wide", 0},
            {"casts_before", cast_count(before)},
            {"casts_after", cast_count(outcome.model)},
            {"opset_before", before.opset()},
            {"opset_after", outcome.model.opset()},
            {"pins", Json::array()},
            {"wide", Json::array()}};
  const Model* stage_before = &before;
  for (const RewriteStage& stage : outcome.stages) {
    if (stage.pass == "recast_float") {
      // A recast that was refused as a whole made nothing narrow.
      const bool refused = stage.output.patches.empty() && !stage.output.refused.empty();
      json["nodes_low"] = refused ? 0 : stage.output.nodes_low;
      json["nodes_wide"] = stage.output.wide.size();
      for (const PassOutput::Wide& wide : stage.output.wide) {
        Json entry{{"reason", wide.cause}};
        put_place(*stage_before, wide.node, entry);
        if (!wide.cause.starts_with("schema")) json["pins"].push_back(entry);
        json["wide"].push_back(std::move(entry));
      }
    }
    stage_before = &stage.after;
  }
  return json;
}

// The keys of the contract, as they are before anything is known.
Json empty_entry(const std::string& path) {
  return Json{{"path", path},
              {"error", nullptr},
              {"output", nullptr},
              {"data_files", Json::array()},
              {"not_copied", Json::array()},
              {"unused_files", Json::array()},
              {"copied", false},
              {"file_bytes_after", nullptr},
              {"data_bytes_after", nullptr},
              {"changed", false},
              {"patches", Json::array()},
              {"refused", Json::array()},
              {"dims", Json::array()},
              {"loads_in", Json::array()},
              {"loads_unknown", Json::array()},
              {"refused_by", Json::array()},
              {"precision", nullptr},
              {"memory", nullptr},
              {"validation", nullptr}};
}

}  // namespace

Json rewrite_json(const std::string& path, const Model& before, const RewriteRequest& request,
                  const RewriteOutcome& outcome) {
  Json json = empty_entry(path);
  json["changed"] = outcome.changed;
  const Model* stage_before = &before;
  for (const RewriteStage& stage : outcome.stages) {
    for (const Patch& patch : stage.output.patches) json["patches"].push_back(patch_json(patch));
    for (const Refusal& refusal : stage.output.refused) {
      Json entry{{"pass", refusal.pass}, {"reason", refusal.reason}, {"detail", text_or_null(refusal.detail)}};
      put_place(*stage_before, refusal.node, entry);
      json["refused"].push_back(std::move(entry));
    }
    for (const PassOutput::DimChange& dim : stage.output.dims)
      json["dims"].push_back(
          Json{{"symbol_or_value", dim.dim}, {"from", dim.from}, {"to", dim.to}, {"tensors", dim.tensors}});
    stage_before = &stage.after;
  }
  if (request.precision.to != DType::undefined) json["precision"] = precision_json(before, outcome);
  return json;
}

void add_saved(const Saved& saved, const std::string& path, Json& entry) {
  entry["output"] = path;
  entry["data_files"] = saved.data_files;
  for (const Error& error : saved.not_copied) entry["not_copied"].push_back(error_object(error));
  entry["unused_files"] = saved.unused;
  entry["copied"] = saved.copied;
  entry["file_bytes_after"] = saved.bytes;
  entry["data_bytes_after"] = saved.data_bytes;
}

Json rewrite_error_json(const std::string& path, const Error& error) {
  throw_if_out_of_memory(error);
  Json json = empty_entry(path);
  json["error"] = error_object(error, path);
  return json;
}

}  // namespace aegis
