// What a Model holds inside. For model/ alone: this header includes ONNX's.
#pragma once

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/file.hpp"
#include "model/marker.hpp"
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// External data of a tensor that belongs to no file: refused.
inline TensorSource::External nowhere() {
  TensorSource::External external;
  external.policy = ExternalPolicy::none;
  return external;
}

struct Model::State {
  std::shared_ptr<const onnx::ModelProto> proto;
  std::vector<TensorSource> payloads;  // cut out of the skeleton, by Marker::payload

  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<Scope> scopes;
  std::vector<std::unordered_map<std::string_view, ValueId>> names;  // by ScopeId
  std::unordered_set<std::string_view> node_names;
  std::vector<TensorSource> sources;    // of initializers and Constant nodes
  std::vector<std::int32_t> source_of;  // by ValueId; -1: no stored data

  std::shared_ptr<const File> file;  // null when made in memory
  std::string path;
  TensorSource::External beside = nowhere();  // where external data is looked for: model, policy, pointers
  std::vector<Error> findings;
  bool edited = false;
  std::map<ValueId, Origin> origins;
};

// Which ids the things of an edited proto had before the edit; empty when a model is indexed for the first time.
struct IdHints {
  const Model::State* before = nullptr;
  std::unordered_map<const onnx::NodeProto*, NodeId> nodes;
  std::unordered_map<const void*, ScopeId> scopes;  // GraphProto* or FunctionProto*
};

// Fills nodes, values, scopes, names and sources from state.proto and state.payloads. Errors: no graph.
Result<void> build_index(Model::State& state, const IdHints& hints);

// The payload of an inline TensorProto as a source with owned bytes; a cut one is looked up in `payloads`. External
// data lies beside the model that `beside` names and under its policy; without one it is never opened.
TensorSource tensor_source(const onnx::TensorProto& tensor, std::span<const TensorSource> payloads,
                           const TensorSource::External& beside = nowhere());

}  // namespace aegis
