#include "rewriter/recast/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aegis::recast {
namespace {

bool counts(const Node& node) { return node.op != "Cast" && node.op != "Constant"; }

}  // namespace

std::vector<PassOutput::Wide> wide_nodes(const Model& model, const Choice& choice) {
  std::vector<PassOutput::Wide> found;
  for (const Node& node : model.nodes()) {
    if (!node.alive || !counts(node) || in_function(model, node.scope)) continue;
    const int main = choice.groups.main_group(node.id);
    if (main < 0 || choice.narrow_at(main)) continue;
    const std::vector<Block>& blocks = choice.groups.groups()[static_cast<std::size_t>(main)].blocks;
    if (blocks.empty()) continue;
    const auto own = std::ranges::find(blocks, node.id, &Block::node);
    const Block& block = own != blocks.end() ? *own : blocks.front();
    std::string cause = block.cause;
    if (own == blocks.end() && block.node != NodeId::none) {
      cause = fmt::format("{} (shares its type with {})", cause, label(model, block.node));
    }
    found.push_back({node.id, std::move(cause)});
  }
  return found;
}

std::uint64_t narrow_nodes(const Model& model, const TypeTable& types, const Choice& choice, DType to) {
  std::uint64_t count = 0;
  for (const Node& node : model.nodes()) {
    if (!node.alive || !counts(node) || in_function(model, node.scope)) continue;
    const int main = choice.groups.main_group(node.id);
    const bool already = std::ranges::any_of(node.outputs, [&](ValueId value) {
      return value != ValueId::none && types.of(value).tensor() && types.of(value).dtype == to;
    });
    if (already || (main >= 0 && choice.narrow_at(main))) ++count;
  }
  return count;
}

}  // namespace aegis::recast
