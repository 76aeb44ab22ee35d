#include "rewriter/soundness.hpp"

#include <aegis/facts/defects.h>
#include <fmt/format.h>

#include <string>

#include "ops/graph/defects.hpp"
#include "ops/graph/payloads.hpp"

namespace aegis {
namespace {

std::string where(const Model& model, const aegis_place& place) {
  if (place.kind == AEGIS_PLACE_NODE) return label(model, NodeId{place.id});
  if (place.kind == AEGIS_PLACE_VALUE) return std::string(model.value(ValueId{place.id}).name);
  return model.path();
}

Error refused(std::string code, const std::string& what, std::string place) {
  return {.fault = Fault::file,
          .code = std::move(code),
          .message = fmt::format("{}; no pass runs on such a model, correct it first", what),
          .where = std::move(place)};
}

}  // namespace

Result<void> check_sound(const Model& model, const TypeTable& types) {
  for (const Defect& defect : find_defects(model, types)) {
    const std::string place = where(model, defect.at);
    switch (defect.kind) {
      case AEGIS_DEFECT_CYCLE:
        return refused("ST501", fmt::format("nodes wait for each other: {}", defect.name), place);
      case AEGIS_DEFECT_TWO_PRODUCERS:
      case AEGIS_DEFECT_TWO_INITIALIZERS:
        return refused("ST502", fmt::format("`{}` is defined twice", defect.name), place);
      case AEGIS_DEFECT_REPEATED_FIELD:
        return refused("ST502", fmt::format("the {} stands {} times", defect.name, defect.number), place);
      default: break;
    }
  }
  const Payloads payloads(model);
  for (const Value& value : model.values()) {
    const Payload* payload = value.alive ? payloads.of(value.id) : nullptr;
    if (payload == nullptr || sound(*payload)) continue;
    return refused("ST503", fmt::format("the data of tensor `{}` is not what its type and shape declare", value.name),
                   std::string(value.name));
  }
  return {};
}

Result<void> check_nodes(const Model& model, const TypeTable& types) {
  for (const Defect& defect : find_defects(model, types)) {
    switch (defect.kind) {
      case AEGIS_DEFECT_ARITY:
      case AEGIS_DEFECT_ATTRIBUTE:
      case AEGIS_DEFECT_SHAPES: return refused("ST515", defect.name, where(model, defect.at));
      default: break;
    }
  }
  return {};
}

}  // namespace aegis
