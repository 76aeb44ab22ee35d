#include "model/placement.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <tuple>

#include "model/cut.hpp"
#include "model/data_files.hpp"
#include "model/external.hpp"
#include "model/for_each_tensor.hpp"
#include "model/marker.hpp"
#include "model/skeleton_bytes.hpp"
#include "model/state.hpp"
#include "model/wire.hpp"

namespace aegis {
namespace {

// Pages for what a runtime would map, cache lines for the rest.
constexpr std::uint64_t large = 1u << 20, page = 4096, line = 64;

std::uint64_t aligned(std::uint64_t at, std::uint64_t bytes) {
  const std::uint64_t to = bytes >= large ? page : line;
  return (at + to - 1) / to * to;
}

void set_entry(onnx::TensorProto& tensor, const char* key, std::string value) {
  auto* entry = tensor.add_external_data();
  entry->set_key(key);
  entry->set_value(std::move(value));
}

void clear_payload(onnx::TensorProto& tensor) {
  clear_marker(tensor);
  tensor.clear_raw_data();
  tensor.clear_float_data();
  tensor.clear_double_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_uint64_data();
  tensor.clear_external_data();
  tensor.clear_data_location();
}

class Placer {
 public:
  Placer(const Model::State& state, Placement& placement) : state_(state), out_(placement) {
    out_.proto = std::make_unique<onnx::ModelProto>(*state.proto);
    out_.payloads = state.payloads;
  }

  // Payloads that lie in a data file come from the open file.
  Result<void> open_payloads() {
    for (TensorSource& source : out_.payloads)
      if (const auto* external = std::get_if<TensorSource::External>(&source.from)) {
        AEGIS_TRY(source.from, open(source, *external));
        source.field = TensorSource::Field::raw;
      }
    return {};
  }

  Result<void> take_in() {
    Result<void> done;
    edit_each_tensor(*out_.proto, [&](onnx::TensorProto& tensor) {
      if (done && tensor.data_location() == onnx::TensorProto::EXTERNAL) done = take_in(tensor);
    });
    return done;
  }

  Result<void> put_out() { return graph(*out_.proto->mutable_graph()); }

  void measure() { out_.inline_bytes = splice(skeleton_bytes(*out_.proto), out_.payloads).size; }

 private:
  Result<TensorSource::Span> open(const TensorSource& source, TensorSource::External external) {
    const bool stated = external.length != to_the_end;
    AEGIS_TRY(TensorSource::Span span, files_.open(external));
    // A length that is not stated reaches to the end of the file; the tensor is only what its extents say.
    if (!stated && source.raw_size() <= span.length) span.length = source.raw_size();
    return span;
  }

  Result<void> take_in(onnx::TensorProto& tensor) {
    TensorSource source = tensor_source(tensor, out_.payloads, state_.beside);
    const auto external = std::get<TensorSource::External>(source.from);
    AEGIS_TRY(source.from, open(source, external));
    clear_payload(tensor);
    set_marker(tensor, {.field = static_cast<std::uint32_t>(TensorSource::Field::raw),
                        .payload = static_cast<std::uint32_t>(out_.payloads.size())});
    out_.payloads.push_back(std::move(source));
    return {};
  }

  // Initializers and the values of Constant nodes: what runtimes read from a data file. Bodies of functions, sparse
  // tensors and training information stay as they are.
  Result<void> graph(onnx::GraphProto& g) {
    for (auto& tensor : *g.mutable_initializer()) AEGIS_CHECK(put_out(tensor));
    for (auto& node : *g.mutable_node())
      for (auto& a : *node.mutable_attribute()) {
        if (a.has_t() && node.op_type() == "Constant" && node.domain().empty()) AEGIS_CHECK(put_out(*a.mutable_t()));
        if (a.has_g()) AEGIS_CHECK(graph(*a.mutable_g()));
        for (auto& inner : *a.mutable_graphs()) AEGIS_CHECK(graph(inner));
      }
    return {};
  }

  Result<void> put_out(onnx::TensorProto& tensor) {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL || tensor.has_segment()) return {};
    TensorSource source = tensor_source(tensor, out_.payloads, state_.beside);
    const std::uint64_t bytes = source.raw_size();
    if (source.type == DType::string || bytes < least_outside(source.type)) return {};
    AEGIS_TRY(const bool fits, sound(source));
    if (!fits) return {};
    const auto [offset, again] = offset_of(source, bytes);
    clear_payload(tensor);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    out_.outside.push_back({.source = std::move(source), .tensor = &tensor, .offset = offset, .again = again});
    return {};
  }

  static std::uint64_t least_outside(DType type) { return may_hold_shapes(type) ? Keep{}.integers + 1 : Keep{}.others; }

  // What does not fit its type and extents stays where it is: moving it would hide that.
  static Result<bool> sound(const TensorSource& source) {
    const bool varints = source.field == TensorSource::Field::int32_data ||
                         source.field == TensorSource::Field::int64_data ||
                         source.field == TensorSource::Field::uint64_data;
    if (!varints) return source.stored_size() == source.raw_size();
    auto decoded = source.stream([](std::span<const std::byte>) { return Result<void>(); });
    if (!decoded && decoded.error().code != "ST503") return std::move(decoded).error();  // not read at all
    return static_cast<bool>(decoded);
  }

  // Tied weights lie in the file once.
  std::pair<std::uint64_t, bool> offset_of(const TensorSource& source, std::uint64_t bytes) {
    const std::uint64_t at = aligned(out_.data_bytes, bytes);
    if (const auto* span = std::get_if<TensorSource::Span>(&source.from)) {
      const auto [known, added] = at_.try_emplace({span->file.get(), span->offset, span->length, source.field}, at);
      if (!added) return {known->second, true};
    }
    out_.data_bytes = at + bytes;
    return {at, false};
  }

  const Model::State& state_;
  Placement& out_;
  DataFiles files_;
  std::map<std::tuple<const File*, std::uint64_t, std::uint64_t, TensorSource::Field>, std::uint64_t> at_;
};

}  // namespace

Result<Placement> place(const Model::State& state, ExternalData wanted, bool beside, const std::string& data_name) {
  Placement placement;
  Placer placer(state, placement);
  AEGIS_CHECK(placer.open_payloads());
  if (!beside || wanted == ExternalData::never) AEGIS_CHECK(placer.take_in());
  placer.measure();
  const bool too_large = placement.inline_bytes > max_inline_bytes;
  if (wanted == ExternalData::always || (too_large && wanted == ExternalData::automatic)) {
    AEGIS_CHECK(placer.put_out());
    name_data_file(placement, data_name);
    placer.measure();
  }
  if (placement.inline_bytes <= max_inline_bytes) return placement;
  return Error{.fault = Fault::file,
               .code = "ST514",
               .message = fmt::format("the result would be one file of {} bytes, protobuf reads {} at most; {}",
                                      placement.inline_bytes, max_inline_bytes,
                                      wanted == ExternalData::never ? "leave out --external-data never"
                                                                    : "its attributes alone are too large"),
               .where = {},
               .notes = {}};
}

void name_data_file(Placement& placement, const std::string& name) {
  for (const Placement::Outside& outside : placement.outside) {
    onnx::TensorProto& tensor = *outside.tensor;
    tensor.clear_external_data();
    set_entry(tensor, "location", name);
    set_entry(tensor, "offset", std::to_string(outside.offset));
    set_entry(tensor, "length", std::to_string(outside.source.raw_size()));
  }
}

}  // namespace aegis
