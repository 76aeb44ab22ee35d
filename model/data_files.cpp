#include "model/data_files.hpp"

#include "model/external.hpp"
#include "model/for_each_tensor.hpp"
#include "model/state.hpp"

namespace aegis {

Result<TensorSource::Span> DataFiles::open(const TensorSource::External& external) {
  if (const auto known = files_.find(external.location); known != files_.end())
    return span_inside(known->second, external);
  AEGIS_TRY(TensorSource::Span span, open_external(external));
  files_.emplace(external.location, span.file);
  return span;
}

std::map<std::string, Result<std::shared_ptr<const File>>> data_files_of(const Model::State& state) {
  std::map<std::string, Result<std::shared_ptr<const File>>> files;
  for_each_tensor(*state.proto, [&](const onnx::TensorProto& tensor, std::string_view) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    const TensorSource source = tensor_source(tensor, state.payloads, state.beside);
    auto external = std::get<TensorSource::External>(source.from);
    if (files.contains(external.location)) return;
    external.offset = external.length = 0;  // the file alone matters here
    auto span = open_external(external);
    files.emplace(external.location, span ? Result<std::shared_ptr<const File>>(span->file) : std::move(span).error());
  });
  return files;
}

}  // namespace aegis
