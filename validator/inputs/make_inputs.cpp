#include "validator/inputs/make_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "validator/inputs/maker.hpp"

namespace aegis {
namespace {

SetKind kind_of(int set, int sets, bool masks) {
  if (sets >= 4 && masks && set == sets - 1) return SetKind::masked;
  if (sets >= 4 && masks && set == sets - 2) return SetKind::ragged;
  if (sets >= 4 && set == sets - 3) return SetKind::scaled;
  return SetKind::ordinary;
}

std::string label_of(int set, SetKind kind) {
  constexpr std::string_view words[] = {"", " (scaled by 8)", " (ragged masks)", " (a fully masked row)"};
  return fmt::format("{}{}", set, words[static_cast<int>(kind)]);
}

}  // namespace

Result<FeedSets> make_inputs(const Model& model, const TypeTable& types, std::span<const InputSpec> specs,
                             const MakeOptions& options) {
  FeedSets out;
  out.source = "synthetic";
  struct Made {
    InputSpec spec;
    std::vector<std::int64_t> shape;
    Maker maker;
  };
  std::vector<Made> made;
  for (const InputSpec& spec : specs) {
    if (!spec.required) continue;
    const auto shape = types.of(spec.id).shape();
    if (!shape || element_count(*shape) > std::int64_t{1} << 31)
      return Error{
          .fault = Fault::usage,
          .code = {},
          .message = fmt::format("input '{}' is {}, expected known extents of a moderate size; give numbers with "
                                 "--bind or --shapes, or data with --inputs",
                                 spec.name, dims_text(types.of(spec.id).dims, types.symbols)),
          .where = model.path(),
          .notes = {}};
    Maker maker = choose_maker(model, types, spec, *shape, options);
    if (maker.declared && !(maker.high >= maker.low))
      return Error{.fault = Fault::validation,
                   .code = {},
                   .message = fmt::format("the range of input '{}' is [{}, {}], expected its lower end first",
                                          spec.name, maker.low, maker.high),
                   .where = {},
                   .notes = {}};
    out.used.push_back(
        {.name = spec.name, .dtype = std::string(name(spec.dtype)), .shape = *shape, .source = maker.source});
    made.push_back({spec, *shape, std::move(maker)});
  }
  const bool masks = std::ranges::any_of(made, [](const Made& m) { return m.maker.kind == Maker::Kind::mask; });
  const int sets = std::max(1, options.sets);
  for (int set = 0; set < sets; ++set)
    out.sets.push_back({.label = label_of(set, kind_of(set, sets, masks)), .feeds = {}});
  out.make = [made = std::move(made), sets, masks, seed = options.seed](std::size_t which) {
    const int set = static_cast<int>(which);
    Feeds feeds;
    for (const Made& m : made)
      feeds.emplace(m.spec.name, make_tensor(m.maker, m.spec, m.shape, seed, set, kind_of(set, sets, masks)));
    return feeds;
  };
  return out;
}

}  // namespace aegis
