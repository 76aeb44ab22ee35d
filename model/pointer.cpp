#include "model/pointer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "model/open_file.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t longest_pointer = 4096;
constexpr std::string_view lfs_head = "version https://git-lfs.github.com/spec/";

struct Pointer {
  std::string digest;  // hexadecimal
  std::optional<std::uint64_t> size;
};

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// What follows `key` at the beginning of a line; leading "- " and blanks do not count.
std::optional<std::string> line_after(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line.remove_prefix(std::min(line.find_first_not_of(" -"), line.size()));
    if (line.starts_with(key)) {
      line.remove_prefix(key.size());
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      return std::string(line.substr(0, line.find_last_not_of(" \r") + 1));
    }
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number(const std::optional<std::string>& text) {
  std::uint64_t value = 0;
  if (!text) return std::nullopt;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
  return problem == std::errc() && end == text->data() + text->size() ? std::optional(value) : std::nullopt;
}

std::string text_of(const File& file) {
  std::string text(static_cast<std::size_t>(std::min(file.size(), longest_pointer)), '\0');
  return file.read(0, std::as_writable_bytes(std::span(text))) ? text : std::string();
}

std::optional<std::string> text_at(const fs::path& path) {
  const auto file = File::open(path.string());
  return file && (*file)->size() <= longest_pointer ? std::optional(text_of(**file)) : std::nullopt;
}

// The nearest folder above `file` that holds `name`, with `name`.
std::optional<fs::path> above(const std::string& file, std::string_view name) {
  std::error_code problem;
  fs::path at = fs::weakly_canonical(file, problem).parent_path();
  for (; !problem && !at.empty(); at = at.parent_path()) {
    if (fs::exists(at / name, problem)) return at / name;
    if (at == at.root_path()) break;
  }
  return std::nullopt;
}

// The folder that Git keeps its data in; a worktree or submodule has a file that names it.
std::optional<fs::path> git_folder(const std::string& file) {
  const auto git = above(file, ".git");
  std::error_code problem;
  if (!git || fs::is_directory(*git, problem)) return git;
  const auto text = text_at(*git);
  const auto named = text ? line_after(*text, "gitdir:") : std::nullopt;
  if (!named) return std::nullopt;
  fs::path folder = git->parent_path() / *named;
  if (const auto common = text_at(folder / "commondir")) {
    const std::size_t end = common->find_last_not_of("\r\n");
    if (end != common->npos) folder /= common->substr(0, end + 1);
  }
  return folder;
}

// The first of these files in the store that is there and has the size that the pointer says.
Result<std::shared_ptr<const File>> first_of(const fs::path& store, const std::vector<std::string>& places,
                                             const Pointer& pointer, const std::string& where, std::string_view kind,
                                             std::string_view pull) {
  for (const std::string& place : places) {
    const int descriptor = open_below(store.string(), place);
    if (descriptor < 0) continue;
    auto file = File::adopt(descriptor, where);
    if (file && (!pointer.size || (*file)->size() == *pointer.size)) return file;
  }
  return Error{.fault = Fault::file,
               .code = "IO902",
               .message = fmt::format("is a {} pointer, its content is not here; run `{}`", kind, pull),
               .where = where};
}

Result<std::shared_ptr<const File>> lfs_object(const std::string& text, const std::string& path, bool resolve) {
  const Pointer pointer{.digest = line_after(text, "oid sha256:").value_or(""),
                        .size = number(line_after(text, "size"))};
  const std::string& d = pointer.digest;
  const auto git = resolve && is_hex(d, 64) ? git_folder(path) : std::nullopt;
  std::vector<std::string> places;
  if (git) places = {fmt::format("lfs/objects/{}/{}/{}", d.substr(0, 2), d.substr(2, 2), d)};
  return first_of(git.value_or(""), places, pointer, path, "Git LFS", "git lfs pull");
}

Result<std::shared_ptr<const File>> dvc_object(const std::string& text, const std::string& path, bool resolve) {
  const Pointer pointer{.digest = line_after(text, "md5:").value_or(""), .size = number(line_after(text, "size:"))};
  const std::string& d = pointer.digest;
  const auto dvc = resolve && is_hex(d, 32) ? above(path, ".dvc") : std::nullopt;
  std::vector<std::string> places;
  if (dvc) {  // since DVC 3, and before
    const std::string object = fmt::format("{}/{}", d.substr(0, 2), d.substr(2));
    places = {"cache/files/md5/" + object, "cache/" + object};
  }
  return first_of(dvc.value_or(""), places, pointer, path, "DVC", "dvc pull");
}

bool is_dvc(std::string_view text) {
  return line_after(text, "outs:").has_value() && line_after(text, "md5:").has_value();
}

}  // namespace

std::optional<Result<std::shared_ptr<const File>>> behind_pointer(const File& file, bool resolve) {
  if (file.size() > longest_pointer) return std::nullopt;
  const std::string text = text_of(file);
  if (text.starts_with(lfs_head)) return lfs_object(text, file.name(), resolve);
  if (is_dvc(text)) return dvc_object(text, file.name(), resolve);
  return std::nullopt;
}

std::optional<Result<std::shared_ptr<const File>>> behind_dvc_pointer(const std::string& path, bool resolve) {
  const auto text = text_at(path + ".dvc");
  if (!text || !is_dvc(*text)) return std::nullopt;
  return dvc_object(*text, path, resolve);
}

}  // namespace aegis
