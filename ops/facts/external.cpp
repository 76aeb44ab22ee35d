// What is unusual about bytes that lie in another file, from what the model says of them; the file is not looked at.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ops/fact.hpp"

using namespace aegis;

namespace {

constexpr std::uint64_t page = 4096, large = 1u << 20;

class Externals {
 public:
  explicit Externals(FactTable& table) : model_(table.model()) {
    for (const Scope& scope : model_.scopes()) {
      if (scope.graph == nullptr) continue;
      std::size_t i = 0;
      for (const auto& tensor : scope.graph->initializer())
        if (i < scope.initializers.size()) add(scope.initializers[i++], tensor);
    }
    for (const Node& node : model_.nodes()) {
      if (!node.alive || node.op != "Constant" || node.outputs.empty() || node.outputs[0] == ValueId::none) continue;
      for (const auto& a : node.proto->attribute())
        if (a.name() == "value" && a.has_t()) add(node.outputs[0], a.t());
    }
    find_overlaps();
  }

  struct Row {
    std::uint32_t flags = 0;
    std::string location, detail;
    std::uint64_t offset = 0, length = 0;
    ValueId overlaps = ValueId::none;
  };
  const Row* of(ValueId id) const {
    const auto it = rows_.find(id);
    return it == rows_.end() ? nullptr : &it->second;
  }

 private:
  void add(ValueId id, const onnx::TensorProto& tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    Row row;
    std::set<std::string> keys;
    bool has_length = false;
    const auto odd = [&](const std::string& why) {
      row.flags |= AEGIS_EXTERNAL_BAD_KEY;
      if (row.detail.empty()) row.detail = why;
    };
    for (const auto& entry : tensor.external_data()) {
      const std::string& key = entry.key();
      if (!keys.insert(key).second) odd("key " + key + " stands twice");
      if (key == "location") {
        row.location = entry.value();
      } else if (key == "offset" || key == "length") {
        const auto number = count(entry.value());
        if (!number) odd(key + " is no number");
        (key == "offset" ? row.offset : row.length) = number.value_or(0);
        has_length = has_length || key == "length";
      } else if (key != "checksum") {
        odd("key " + key + " is unknown");
      }
    }
    if (!has_length) row.flags |= AEGIS_EXTERNAL_NO_LENGTH;
    if (row.length >= large && row.offset % page != 0) row.flags |= AEGIS_EXTERNAL_MISALIGNED;
    rows_.try_emplace(id, std::move(row));
  }

  static std::optional<std::uint64_t> count(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
  }

  // Ranges that share bytes and are not the same range; equal ranges are tied weights.
  void find_overlaps() {
    struct Range {
      std::string_view location;
      std::uint64_t from, to;
      ValueId id;
    };
    std::vector<Range> ranges;
    for (const auto& [id, row] : rows_)
      if (row.length > 0 && row.offset <= UINT64_MAX - row.length)
        ranges.push_back({row.location, row.offset, row.offset + row.length, id});
    std::ranges::sort(ranges, [](const Range& a, const Range& b) {
      return std::tie(a.location, a.from, b.to, a.id) < std::tie(b.location, b.from, a.to, b.id);
    });
    const Range* widest = nullptr;  // of those before, the one that ends last
    for (const Range& range : ranges) {
      if (widest != nullptr && widest->location == range.location && range.from < widest->to &&
          (range.from != widest->from || range.to != widest->to)) {
        rows_[range.id].flags |= AEGIS_EXTERNAL_OVERLAP;
        rows_[range.id].overlaps = widest->id;
      }
      if (widest == nullptr || widest->location != range.location || range.to > widest->to) widest = &range;
    }
  }

  const Model& model_;
  std::map<ValueId, Row> rows_;
};

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const auto* row = table.analysis<Externals>().of(id);
  if (row == nullptr) return nullptr;
  auto* fact = table.make<aegis_external>();
  fact->flags = row->flags;
  fact->location = table.text(row->location);
  fact->detail = table.text(row->detail);
  fact->span = {.offset = row->offset, .length = row->length, .file = 1, .encoding = 0};
  fact->overlaps = handle(row->overlaps);
  return fact;
}

}  // namespace

AEGIS_FACT(external) = {.id = AEGIS_FACT_EXTERNAL, .of_value = of_value};
