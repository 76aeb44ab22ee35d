#include "model/external.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/file.hpp"
#include "model/for_each_tensor.hpp"
#include "model/open_file.hpp"
#include "model/pointer.hpp"
#include "model/state.hpp"

namespace aegis {
namespace {

using External = TensorSource::External;

Error problem(std::string code, std::string message, const External& external) {
  return Error{
      .fault = Fault::file, .code = std::move(code), .message = std::move(message), .where = external.location};
}

Result<std::shared_ptr<const File>> open_data(const External& external) {
  auto descriptor = open_beside(external.model, external.location, external.policy);
  if (!descriptor) {
    if (descriptor.error().code != "IO906") return std::move(descriptor).error();
    auto object = behind_dvc_pointer(path_beside(external.model, external.location), external.resolve_pointers);
    if (!object) return std::move(descriptor).error();
    return *std::move(object);
  }
  AEGIS_TRY(auto file, File::adopt(*descriptor, path_beside(external.model, external.location)));
  auto object = behind_pointer(*file, external.resolve_pointers);
  return object ? *std::move(object) : std::move(file);
}

// Absent: the payload lies inside a file of that size.
std::optional<Error> out_of_range(const External& external, std::uint64_t size) {
  if (external.offset == no_byte_count || external.length == no_byte_count)
    return problem("IO906", "has an offset or a length that is no decimal number; export the model again", external);
  const std::uint64_t length = external.length == to_the_end ? 0 : external.length;
  if (external.offset <= size && length <= size - external.offset) return std::nullopt;
  return problem("IO906",
                 fmt::format("has {} bytes, the model expects {} at offset {}; fetch both files again", size, length,
                             external.offset),
                 external);
}

// What is wrong with one data file, and for whom.
struct Complaint {
  Error error;
  std::string first;
  std::size_t tensors = 0;
};

Error finding(Complaint complaint) {
  complaint.error.message += fmt::format(" (weights of {}", complaint.first);
  if (complaint.tensors > 1) complaint.error.message += fmt::format(" and {} more", complaint.tensors - 1);
  complaint.error.message += ')';
  return std::move(complaint.error);
}

}  // namespace

Result<TensorSource::Span> span_inside(std::shared_ptr<const File> file, const External& external) {
  if (auto error = out_of_range(external, file->size())) return *std::move(error);
  const std::uint64_t length = external.length == to_the_end ? file->size() - external.offset : external.length;
  return TensorSource::Span{.file = std::move(file), .offset = external.offset, .length = length};
}

Result<TensorSource::Span> open_external(const External& external) {
  AEGIS_TRY(auto file, open_data(external));
  if (external.seen && *external.seen != file->identity())
    return problem("IO907", "has changed since the model was loaded; run again when nothing writes it", external);
  return span_inside(std::move(file), external);
}

void look_at_external(Model::State& state) {
  struct Seen {
    std::shared_ptr<const FileIdentity> identity;  // null: the file is not there, or may not be opened
    std::map<std::string, Complaint> complaints;   // by code
  };
  std::map<std::string, Seen> files;  // by location
  const auto look = [&](const onnx::TensorProto& tensor, std::string_view owner) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    const TensorSource source = tensor_source(tensor, state.payloads, state.beside);
    const auto* external = std::get_if<External>(&source.from);
    if (external == nullptr) return;
    const auto complain = [&](Seen& seen, Error error) {
      const std::string code = error.code;
      auto& complaint =
          seen.complaints.try_emplace(code, Complaint{.error = std::move(error), .first = std::string(owner)})
              .first->second;
      ++complaint.tensors;
    };
    const auto [it, added] = files.try_emplace(external->location);
    Seen& seen = it->second;
    if (added) {
      if (auto file = open_data(*external))
        seen.identity = std::make_shared<const FileIdentity>((*file)->identity());
      else
        complain(seen, std::move(file).error());
    } else if (!seen.identity) {
      ++seen.complaints.begin()->second.tensors;
    }
    if (!seen.identity) return;
    if (auto error = out_of_range(*external, seen.identity->size)) complain(seen, *std::move(error));
  };
  if (state.beside.policy != ExternalPolicy::none) for_each_tensor(*state.proto, look);
  for (TensorSource& source : state.sources) {
    auto* external = std::get_if<External>(&source.from);
    if (external == nullptr) continue;
    external->seen = files[external->location].identity;
    if (external->length != to_the_end) continue;
    const bool inside = external->seen && external->offset <= external->seen->size;
    external->length = inside ? external->seen->size - external->offset : source.raw_size();
  }
  for (auto& [location, seen] : files)
    for (auto& [code, complaint] : seen.complaints) state.findings.push_back(finding(std::move(complaint)));
}

}  // namespace aegis
