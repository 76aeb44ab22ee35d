#include "model/copy_model.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "model/copy_range.hpp"
#include "model/data_files.hpp"
#include "model/descriptor.hpp"
#include "model/paths.hpp"
#include "model/staged_file.hpp"
#include "model/state.hpp"

namespace aegis {
namespace {

Result<void> copy_all(const File& from, StagedFile& to) {
  AEGIS_CHECK(from.unchanged());
  AEGIS_CHECK(to.copy(from, 0, from.size()));
  return from.unchanged();
}

// Opens the folder of `location` below `folder`, making what is not there and following no link: a location may not
// lead out of the folder of the result. Returns -1 with errno.
int open_way_to(const std::string& folder, const std::string& location) {
  Descriptor at(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::size_t begin = 0;
  for (std::size_t slash = location.find('/'); at.get() >= 0 && slash != std::string::npos;
       begin = slash + 1, slash = location.find('/', begin)) {
    const std::string part = location.substr(begin, slash - begin);
    if (part.empty() || part == ".") continue;
    if (::mkdirat(at.get(), part.c_str(), 0777) != 0 && errno != EEXIST) return -1;
    at.reset(::openat(at.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  }
  return at.release();
}

// Copies that are taken back unless the model that names them is put in place.
class Copies {
 public:
  ~Copies() {
    if (kept_) return;
    for (const auto& copy : copies_)
      if (copy->committed()) copy->take_back();
  }
  Result<void> add(const File& from, const std::string& folder, const std::string& location) {
    const Descriptor way(open_way_to(folder, location));
    if (way.get() < 0) return cannot_be("put in its folder", folder + location);
    auto& copy = *copies_.emplace_back(std::make_unique<StagedFile>(folder + location));
    AEGIS_CHECK(copy.open_in(way.get(), mode_of(&from)));
    AEGIS_CHECK(copy_all(from, copy));
    return copy.commit_or_match();
  }
  void keep() { kept_ = true; }

 private:
  std::vector<std::unique_ptr<StagedFile>> copies_;
  bool kept_ = false;
};

// What was there when the model was loaded has to come along; only what was refused or absent then stays behind.
bool known_at_load(const Model::State& state, const std::string& location, const Error& error) {
  return error.code == "IO905" ||
         std::ranges::any_of(state.findings, [&](const Error& finding) { return finding.where == location; });
}

}  // namespace

Result<Saved> copy_model(const Model::State& state, const std::string& path, Overwrite overwrite) {
  Saved saved{.copied = true};
  Copies copies;
  if (!same_folder(state.path, path)) {
    for (auto& [location, file] : data_files_of(state)) {
      if (!file) {
        if (!known_at_load(state, location, file.error())) return std::move(file).error();
        saved.not_copied.push_back(std::move(file).error());
        continue;
      }
      AEGIS_CHECK(copies.add(**file, folder_of(path), location));
      saved.data_files.push_back(location);
    }
  }
  StagedFile staged(path);
  AEGIS_CHECK(staged.open(mode_of(state.file.get())));
  AEGIS_CHECK(copy_all(*state.file, staged));
  saved.bytes = state.file->size();
  AEGIS_CHECK(staged.commit(overwrite));
  copies.keep();
  return saved;
}

}  // namespace aegis
