#include "validator/inputs/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "model/file.hpp"
#include "model/save.hpp"
#include "model/tensor_pb.hpp"

namespace aegis {
namespace fs = std::filesystem;

Result<Bytes> read_bytes(const std::string& path) {
  auto opened = File::open(path);
  if (!opened) {  // its advice is about models
    const std::string& message = opened.error().message;
    return Error{.fault = Fault::file,
                 .code = {},
                 .message = message.substr(0, message.find(';')) + "; check the path",
                 .where = path,
                 .notes = {}};
  }
  const auto file = *std::move(opened);
  Bytes bytes(static_cast<std::size_t>(file->size()));
  AEGIS_CHECK(file->read(0, bytes));
  return bytes;
}

Result<Tensor> read_tensor_pb(const std::string& path, std::string* name) {
  AEGIS_TRY(const Bytes bytes, read_bytes(path));
  auto read = tensor_from_pb({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!read) {
    Error error = std::move(read).error();
    if (error.where.empty()) error.where = path;
    return error;
  }
  if (name) *name = read->name;
  return std::move(read->tensor);
}

Result<void> write_bytes(const std::string& path, std::string_view bytes) {
  std::error_code code;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, code);
  return save_bytes(bytes, path, Overwrite::yes);
}

bool is_folder(const std::string& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  std::error_code code;
  std::vector<std::string> names;
  for (fs::directory_iterator it(path, code), end; !code && it != end; it.increment(code))
    names.push_back(it->path().filename().string());
  if (code)
    return Error{.fault = Fault::file,
                 .code = {},
                 .message = fmt::format("the folder cannot be listed: {}", code.message()),
                 .where = path,
                 .notes = {}};
  std::ranges::sort(names);
  return names;
}

Result<std::vector<std::pair<std::size_t, std::string>>> numbered(const std::string& folder, std::string_view stem,
                                                                  std::string_view ending) {
  AEGIS_TRY(const std::vector<std::string> names, list_folder(folder));
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    const std::string_view view = name;
    if (!view.starts_with(stem) || !view.ends_with(ending) || view.size() < stem.size() + 2 + ending.size()) continue;
    if (view[stem.size()] != '_') continue;
    const std::string_view digits = view.substr(stem.size() + 1, view.size() - stem.size() - 1 - ending.size());
    std::size_t number = 0;
    const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault == std::errc() && stop == digits.data() + digits.size()) found.emplace_back(number, folder + "/" + name);
  }
  std::ranges::sort(found);
  return found;
}

std::string extension(std::string_view path) { return fs::path(path).extension().string(); }

}  // namespace aegis
