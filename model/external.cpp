#include "model/external.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "model/file.hpp"
#include "model/patch.hpp"

namespace aegis {
namespace {

Error problem(std::string code, std::string message, const TensorSource::External& external) {
  return Error{
      .fault = Fault::file, .code = std::move(code), .message = std::move(message), .where = external.location};
}

// The parts of a location that stays inside its folder; nothing for one that could leave it.
std::vector<std::string> parts_inside(std::string_view location) {
  std::vector<std::string> parts;
  if (location.empty() || location.front() == '/' || location.find('\0') != std::string_view::npos) return {};
  for (std::size_t at = 0; at <= location.size();) {
    const std::size_t end = std::min(location.find('/', at), location.size());
    const std::string_view part = location.substr(at, end - at);
    if (part == "..") return {};
    if (!part.empty() && part != ".") parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

// Goes down part by part and follows no link, so that what is opened is what the location says.
int open_inside(const std::string& folder, const std::vector<std::string>& parts) {
  int at = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (std::size_t i = 0; at >= 0 && i < parts.size(); ++i) {
    const int kind = i + 1 < parts.size() ? O_DIRECTORY : O_NONBLOCK;
    const int next = ::openat(at, parts[i].c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | kind);
    const int why = errno;
    ::close(at);
    errno = why;
    at = next;
  }
  return at;
}

}  // namespace

Result<TensorSource::Span> open_external(const TensorSource::External& external) {
  const auto parts = parts_inside(external.location);
  if (parts.empty())
    return problem("IO905",
                   "is no path inside the model's folder, expected a relative one; move the data beside the model",
                   external);
  const int descriptor = open_inside(external.folder, parts);
  if (descriptor < 0 && (errno == ELOOP || errno == ENOTDIR))
    return problem("IO905", "is a symbolic link or leads through one, expected a file of its own; copy the data there",
                   external);
  if (descriptor < 0)
    return problem(
        "IO906",
        fmt::format("holds weights of the model and cannot be opened: {}; fetch it, too", std::strerror(errno)),
        external);
  AEGIS_TRY(auto file, File::adopt(descriptor, external.location));
  if (external.offset > file->size() || external.length > file->size() - external.offset)
    return problem("IO903",
                   fmt::format("has {} bytes, the model expects {} at offset {}; fetch both files again", file->size(),
                               external.length, external.offset),
                   external);
  return TensorSource::Span{.file = std::move(file), .offset = external.offset, .length = external.length};
}

Result<Model> embed_external(const Model& model) {
  Patch patch{.pass = "embed_external", .label = "external weights into the model file", .safety = Safety::exact};
  for (const Value& value : model.values()) {
    const TensorSource* source = value.alive && value.initializer ? model.initializer(value.id) : nullptr;
    const auto* external = source ? std::get_if<TensorSource::External>(&source->from) : nullptr;
    if (!external) continue;
    TensorSource inside = *source;
    AEGIS_TRY(inside.from, open_external(*external));
    patch.edits.push_back(edit::SetTensor{.value = value.id, .source = std::move(inside)});
  }
  if (patch.edits.empty()) return model;
  return aegis::apply(model, {&patch, 1});
}

}  // namespace aegis
