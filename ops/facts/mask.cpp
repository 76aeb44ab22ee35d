// What reaches a Softmax besides its scores: constants that are added, selected or multiplied in, up to the product
// that makes the scores. Fills are read from small constants alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/matcher.hpp"

using namespace aegis;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int longest_way = 16;
constexpr int most_steps = 256;                 // of one search, over all branches
constexpr std::uint64_t readable_bytes = 1024;  // masks above are weights

struct Finder : Matcher {
  using Matcher::Matcher;

  std::vector<aegis_mask_plane> planes;
  std::vector<NodeId> down;  // from the Softmax up to the node that is looked at

  // The smallest element of a small stored constant.
  double smallest(ValueId value) const {
    const TensorSource* source = value == ValueId::none ? nullptr : model.constant(value);
    if (!source || source->raw_size() > readable_bytes) return unknown;
    const auto tensor = source->read();
    if (!tensor) return unknown;
    const auto numbers = to_doubles(*tensor);
    return numbers && !numbers->empty() ? *std::min_element(numbers->begin(), numbers->end()) : unknown;
  }

  // `down` and `up`, turned into the direction of the data.
  aegis_nodes way(const std::vector<NodeId>& up) const {
    std::vector<NodeId> nodes(up.rbegin(), up.rend());
    nodes.insert(nodes.end(), down.rbegin(), down.rend());
    return table.nodes(nodes);
  }

  // The constant behind a plane: (1 - mask) * -10000 and Where(mask, 0, -1e9) hold it a few nodes up. `up` leads from
  // the plane to the value.
  void trace(ValueId value, aegis_mask_plane& plane, std::vector<NodeId> up, int left) const {
    if (value == ValueId::none || left == 0) return;
    const auto found = [&](ValueId constant, NodeId reader, std::uint32_t slot) {
      const double fill = smallest(constant);
      if (std::isnan(plane.fill) || fill < plane.fill) {
        plane.fill = fill;
        plane.constant = handle(constant);
        plane.use = {handle(reader), slot};
        plane.way = way(up);
      }
    };
    const NodeId id = producer(value);
    if (id == NodeId::none || model.constant(value)) return;
    up.push_back(id);
    if (is(id, "Mul") || is(id, "Where") || is(id, "Add") || is(id, "Sub") || is(id, "Div")) {
      const std::uint32_t first = is(id, "Where") ? 1 : 0;
      for (std::uint32_t slot = first; slot < model.node(id).inputs.size(); ++slot)
        if (model.constant(input(id, slot))) found(input(id, slot), id, slot);
      for (std::uint32_t slot = first; slot < model.node(id).inputs.size(); ++slot)
        if (!model.constant(input(id, slot))) trace(input(id, slot), plane, up, left - 1);
      return;
    }
    if (is(id, "ConstantOfShape")) {
      const auto tensor = attribute_tensor(model.node(id), "value");
      const auto numbers = tensor ? to_doubles(*tensor) : Result<std::vector<double>>(std::vector<double>{0});
      if (numbers && !numbers->empty()) {
        plane.fill = std::isnan(plane.fill) ? numbers->front() : std::min(plane.fill, numbers->front());
        plane.constant = handle(value);
        plane.way = way(up);
      }
      return;
    }
    for (const char* op :
         {"Cast", "Unsqueeze", "Squeeze", "Reshape", "Expand", "Identity", "Slice", "Transpose", "Trilu"})
      if (is(id, op)) return trace(input(id, 0), plane, up, left - 1);
  }

  void add(std::uint32_t how, ValueId value, NodeId reader, std::uint32_t slot) {
    aegis_mask_plane plane{how, handle(value), {AEGIS_NONE}, {handle(reader), slot}, 0, unknown, way({})};
    if (model.constant(value)) {
      plane.constant = handle(value);
      plane.fill = smallest(value);
    } else {
      trace(value, plane, {}, 8);
    }
    planes.push_back(plane);
  }

  // Does a product of activations, or a graph input, lie behind this value? Then it carries the scores.
  bool scores(ValueId value) const {
    int steps = most_steps;
    return scores(value, 8, steps);
  }
  bool scores(ValueId value, int left, int& steps) const {
    const NodeId id = producer(value);
    if (id == NodeId::none || left == 0 || --steps < 0) return false;
    if (is_gemm(model.node(id))) return true;
    for (const ValueId in : model.node(id).inputs)
      if (in != ValueId::none && !structure.constant(in) && scores(in, left - 1, steps)) return true;
    return false;
  }

  void climb(ValueId value) {
    for (int i = 0; i < longest_way && value != ValueId::none; ++i) {
      const NodeId id = producer(value);
      if (id == NodeId::none || is_gemm(model.node(id))) return;
      down.push_back(id);
      if (is(id, "Add") || is(id, "Mul") || is(id, "Sub")) {
        // The scores come from a product; without one, from the operand that is no constant.
        const ValueId a = input(id, 0), b = input(id, 1);
        const bool second = is(id, "Sub") ? false : structure.constant(a) || (!scores(a) && scores(b));
        const ValueId plane = second ? a : b;
        const auto elements = structure.elements(plane);
        const bool scale = is(id, "Mul") && elements && *elements == 1;
        if (!scale) add(is(id, "Mul") ? AEGIS_MASK_MUL : AEGIS_MASK_ADD, plane, id, second ? 0u : 1u);
        value = second ? b : a;
      } else if (is(id, "Where")) {
        const bool first =
            !structure.constant(input(id, 1)) && (scores(input(id, 1)) || structure.constant(input(id, 2)));
        add(AEGIS_MASK_WHERE, input(id, first ? 2 : 1), id, first ? 2u : 1u);
        value = input(id, first ? 1 : 2);
      } else if (is(id, "Cast") || is(id, "Div") || is(id, "Reshape") || is(id, "Identity") || is(id, "Max") ||
                 is(id, "Clip")) {
        value = input(id, 0);
      } else {
        return;
      }
    }
  }
};

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  Finder finder(table);
  const Node& node = finder.model.node(id);
  const bool softmax = finder.is(id, "Softmax") || finder.is(id, "LogSoftmax");
  const bool attention = finder.is(id, "Attention");
  if ((!softmax && !attention) || node.inputs.empty()) return nullptr;
  finder.down = {id};
  if (softmax) {
    finder.climb(node.inputs[0]);
  } else if (node.inputs.size() > 3 && node.inputs[3] != ValueId::none) {
    const bool boolean = table.types().of(node.inputs[3]).dtype == DType::boolean;
    finder.add(boolean ? AEGIS_MASK_BOOL : AEGIS_MASK_ADD, node.inputs[3], id, 3);
  }
  if (finder.planes.empty()) return nullptr;
  std::reverse(finder.planes.begin(), finder.planes.end());
  auto* fact = table.make<aegis_mask>();
  fact->planes = table.list<aegis_mask_plane>(finder.planes);
  for (const auto& plane : finder.planes)
    if (plane.how == AEGIS_MASK_ADD) fact->sum += plane.fill;
  fact->may_empty_row = AEGIS_UNKNOWN;
  fact->row_source = finder.planes.front().value;
  // A Where or Mul behind the Softmax puts empty rows right.
  const ValueId out = finder.output(id);
  fact->guarded =
      finder.reader(out, "Where") != NodeId::none || finder.reader(out, "Mul") != NodeId::none ? AEGIS_YES : AEGIS_NO;
  return fact;
}

}  // namespace

AEGIS_FACT(mask) = {.id = AEGIS_FACT_MASK, .of_node = of_node};
