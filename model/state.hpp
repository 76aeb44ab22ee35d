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
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

struct Model::State {
  std::unique_ptr<const onnx::ModelProto> proto;
  std::vector<TensorSource> payloads;  // cut out of the skeleton; a TensorProto's marker is an index into it

  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<Scope> scopes;
  std::vector<std::unordered_map<std::string_view, ValueId>> names;  // by ScopeId
  std::unordered_set<std::string_view> node_names;
  std::vector<TensorSource> sources;    // of initializers and Constant nodes
  std::vector<std::int32_t> source_of;  // by ValueId; -1: no stored data

  std::shared_ptr<const File> file;  // null when made in memory
  std::string path;
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

// The marker that ties a cut TensorProto to Model::State::payloads: an unknown field, so no string of the file can
// be mistaken for it.
inline constexpr int marker_field = 0x0ae615;
std::int64_t marker(const onnx::TensorProto& tensor);  // -1: not cut
void set_marker(onnx::TensorProto& tensor, std::size_t payload);

// The payload of an inline TensorProto as a source with owned bytes; a cut one is looked up in `payloads`; external
// data lies in `folder`.
TensorSource tensor_source(const onnx::TensorProto& tensor, std::span<const TensorSource> payloads,
                           const std::string& folder = {});

}  // namespace aegis
