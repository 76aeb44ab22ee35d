#include "ops/graph/signature.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>

#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

std::uint64_t hash_type(const ValueType& type) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(type.kind), static_cast<std::uint64_t>(type.dtype));
  if (!type.dims) return mix(hash, std::uint64_t{1});
  for (const Dim& dim : *type.dims) {
    hash = mix(hash, static_cast<std::uint64_t>(dim.kind));
    hash = mix(hash, dim.known() ? static_cast<std::uint64_t>(dim.extent) : std::uint64_t{dim.symbol} ^ dim.depends);
  }
  return hash;
}

// Order of attributes in the file does not count; subgraphs stand for themselves by their size alone.
std::uint64_t hash_attributes(const onnx::NodeProto& node) {
  std::uint64_t sum = 0;
  for (const auto& attribute : node.attribute()) {
    std::uint64_t hash = mix(7, attribute.name());
    if (attribute.has_g()) {
      hash = mix(hash, static_cast<std::uint64_t>(attribute.g().node_size()));
    } else {
      onnx::AttributeProto copy = attribute;
      copy.clear_doc_string();
      if (copy.has_t()) copy.mutable_t()->clear_name();
      hash = mix(hash, copy.SerializeAsString());
    }
    sum += hash;
  }
  return sum;
}

}  // namespace

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  std::uint64_t fnv = 0xcbf29ce484222325u;
  for (const char c : text) fnv = (fnv ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mix(mix(hash, fnv), std::uint64_t{text.size()});
}

Signatures::Signatures(FactTable& table) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  const auto& types = table.types();
  alone_.resize(model.nodes().size());
  placed_.resize(model.nodes().size());
  for (const NodeId id : structure.order()) {
    const Node& node = model.node(id);
    std::uint64_t hash = mix(mix(1, node.domain), node.op);
    hash = mix(hash, hash_attributes(*node.proto));
    for (const ValueId in : node.inputs) {
      hash = mix(hash, in == ValueId::none ? 0 : hash_type(types.of(in)));
      hash = mix(hash, structure.constant(in) ? std::uint64_t{1} : 0);
    }
    for (const ValueId out : node.outputs) hash = mix(hash, out == ValueId::none ? 2 : hash_type(types.of(out)));
    alone_[index(id)] = hash;
  }
  for (const NodeId id : structure.order()) {
    const Node& node = model.node(id);
    std::uint64_t hash = alone_[index(id)];
    for (const ValueId in : node.inputs) {
      if (in == ValueId::none || structure.constant(in)) continue;
      const NodeId producer = model.value(in).producer;
      hash = producer == NodeId::none ? mix(hash, std::uint64_t{3}) : mix(hash, model.node(producer).op);
    }
    std::multiset<std::string_view> readers;
    for (const ValueId out : node.outputs) {
      if (out == ValueId::none) continue;
      for (const Use& use : model.value(out).uses)
        readers.insert(use.node == NodeId::none ? std::string_view("output") : model.node(use.node).op);
    }
    for (const auto reader : readers) hash = mix(hash, reader);
    placed_[index(id)] = hash;
  }
}

}  // namespace aegis
