#include "model/edit_proto.hpp"

#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace aegis {

using onnx::AttributeProto;
using onnx::NodeProto;

void set_attribute(NodeProto& node, const AttributeValue& value) {
  AttributeProto* a = nullptr;
  for (auto& existing : *node.mutable_attribute())
    if (existing.name() == value.name) a = &existing;
  if (a == nullptr) a = node.add_attribute();
  a->Clear();
  a->set_name(value.name);
  if (const auto* i = std::get_if<std::int64_t>(&value.value)) {
    a->set_type(AttributeProto::INT);
    a->set_i(*i);
  } else if (const auto* f = std::get_if<float>(&value.value)) {
    a->set_type(AttributeProto::FLOAT);
    a->set_f(*f);
  } else if (const auto* s = std::get_if<std::string>(&value.value)) {
    a->set_type(AttributeProto::STRING);
    a->set_s(*s);
  } else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value.value)) {
    a->set_type(AttributeProto::INTS);
    for (const std::int64_t v : *is) a->add_ints(v);
  } else if (const auto* fs = std::get_if<std::vector<float>>(&value.value)) {
    a->set_type(AttributeProto::FLOATS);
    for (const float v : *fs) a->add_floats(v);
  } else if (const auto* t = std::get_if<Tensor>(&value.value)) {
    a->set_type(AttributeProto::TENSOR);
    a->mutable_t()->set_data_type(static_cast<int>(t->type));
    for (const std::int64_t d : t->dims) a->mutable_t()->add_dims(d);
    a->mutable_t()->set_raw_data(t->data->data(), t->data->size());
  }
}

namespace {

// Names that a node reads: its inputs and what its subgraphs capture. A subgraph may use a name of the outer scope for
// a value of its own.
void collect_reads(const NodeProto& node, std::vector<const std::string*>& out) {
  for (const auto& name : node.input()) out.push_back(&name);
  for (const auto& a : node.attribute()) {
    if (!a.has_g()) continue;
    std::unordered_set<std::string_view> own;
    for (const auto& input : a.g().input()) own.insert(input.name());
    for (const auto& tensor : a.g().initializer()) own.insert(tensor.name());
    std::vector<const std::string*> inside;
    for (const auto& inner : a.g().node()) {
      collect_reads(inner, inside);
      own.insert(inner.output().begin(), inner.output().end());
    }
    for (const auto& o : a.g().output()) inside.push_back(&o.name());
    std::erase_if(inside, [&](const std::string* name) { return own.contains(*name); });
    out.insert(out.end(), inside.begin(), inside.end());
  }
}

}  // namespace

bool sort_nodes(std::vector<NodeProto*>& nodes) {
  std::unordered_map<std::string_view, std::size_t> producer;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (const auto& name : nodes[i]->output())
      if (!name.empty()) producer.emplace(name, i);
  std::vector<std::vector<std::size_t>> readers(nodes.size());
  std::vector<std::size_t> waits(nodes.size(), 0);
  bool sorted = true;
  std::vector<const std::string*> reads;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    reads.clear();
    collect_reads(*nodes[i], reads);
    for (const std::string* name : reads)
      if (const auto it = producer.find(*name); it != producer.end()) {
        if (it->second >= i) sorted = false;
        readers[it->second].push_back(i);
        ++waits[i];
      }
  }
  if (sorted) return true;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (waits[i] == 0) ready.push(i);
  std::vector<NodeProto*> out;
  out.reserve(nodes.size());
  while (!ready.empty()) {
    const std::size_t i = ready.top();
    ready.pop();
    out.push_back(nodes[i]);
    for (const std::size_t r : readers[i])
      if (--waits[r] == 0) ready.push(r);
  }
  if (out.size() != nodes.size()) return false;
  nodes = std::move(out);
  return true;
}

}  // namespace aegis
