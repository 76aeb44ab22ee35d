#include "ops/fact.hpp"
#include "ops/graph/payloads.hpp"

using namespace aegis;

namespace {

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const Payload* payload = table.analysis<Payloads>().of(id);
  if (payload == nullptr) return nullptr;
  const TensorSource* source = table.model().initializer(id);
  if (source == nullptr) source = table.model().constant(id);
  auto* fact = table.make<aegis_payload>();
  fact->field = payload->field;
  fact->extra_fields = payload->extra_fields;
  fact->dtype = static_cast<aegis_dtype>(source != nullptr ? source->type : DType::undefined);
  fact->declared_bytes = payload->declared_bytes;
  fact->actual_bytes = payload->actual_bytes;
  if (source == nullptr) return fact;
  if (const auto* span = std::get_if<TensorSource::Span>(&source->from))
    fact->span = {.offset = span->offset, .length = span->length, .file = 0, .encoding = payload->field};
  return fact;
}

}  // namespace

AEGIS_FACT(payload) = {.id = AEGIS_FACT_PAYLOAD, .of_value = of_value};
