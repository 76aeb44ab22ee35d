#include "linter/pack.hpp"

#include <aegis/aegis.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "linter/host/context.hpp"
#include "linter/pack_check.hpp"
#include "model/descriptor.hpp"
#include "model/open_file.hpp"

namespace aegis {
namespace {

Error refused(const std::string& path, std::string message, Fault fault = Fault::usage) {
  return Error{.fault = fault, .code = "", .message = std::move(message), .where = path, .notes = {}};
}

// Whoever may write the file, or the folder that its name stands in, may run code in this process.
Result<void> check_owner(const std::string& path, const struct stat& file) {
  constexpr mode_t others = S_IWGRP | S_IWOTH;
  if (!S_ISREG(file.st_mode)) return refused(path, "is no regular file, expected the shared object of a pack");
  if (file.st_mode & others)
    return refused(path, "can be written by other users, so it is not loaded; take that away: chmod go-w");
  struct stat folder{};
  std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (parent.empty()) parent = ".";
  if (::stat(parent.c_str(), &folder) != 0) return refused(path, std::strerror(errno), Fault::file);
  if ((folder.st_mode & others) && !(folder.st_mode & S_ISVTX))
    return refused(path,
                   "lies in a folder that other users can write, so it is not loaded; take that away: chmod go-w");
  return {};
}

Result<std::string> sha256_of(int descriptor, const std::string& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!hash || EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr) != 1)
    return Error{.fault = Fault::internal, .message = "libcrypto has no SHA-256", .where = path};
  std::array<char, 1 << 16> buffer;
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refused(path, fmt::format("cannot be read: {}", std::strerror(errno)), Fault::file);
    if (got == 0) break;
    EVP_DigestUpdate(hash.get(), buffer.data(), static_cast<std::size_t>(got));
    at += got;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_DigestFinal_ex(hash.get(), digest.data(), &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace

Result<std::shared_ptr<const Pack>> Pack::load(const std::string& path) {
  const Descriptor file(open_file(path));
  if (file.get() < 0) return refused(path, fmt::format("cannot be opened: {}", std::strerror(errno)), Fault::file);
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return refused(path, std::strerror(errno), Fault::file);
  AEGIS_CHECK(check_owner(path, about));

  std::shared_ptr<Pack> pack(new Pack);
  pack->path_ = path;
  AEGIS_TRY(pack->sha256_, sha256_of(file.get(), path));
  // The descriptor, not the name: the name may stand for another file by now.
  pack->library_ = ::dlopen(fmt::format("/proc/self/fd/{}", file.get()).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!pack->library_) {
    const char* why = ::dlerror();
    return refused(path, fmt::format("cannot be loaded, expected the shared object of a pack: {}", why ? why : "?"));
  }
  const auto* abi = static_cast<const aegis_pack*>(::dlsym(pack->library_, "aegis_pack_v1"));
  if (!abi)
    return refused(path, fmt::format("exports no aegis_pack_v1: it is no pack for ABI {}, build it with aegis_pack()",
                                     AEGIS_ABI_MAJOR));
  if (auto wrong = pack_problem(*abi)) return refused(path, *std::move(wrong));
  if (abi->init && abi->init(&host::api()) != AEGIS_OK)
    return refused(path, "its own start failed; ask who made the pack");
  pack->stop_ = abi->stop;
  pack->name_ = abi->name;
  pack->vendor_ = abi->vendor;
  pack->version_ = abi->version;
  for (const aegis_entry& entry : abi::Items<aegis_entry>(abi->rules)) {
    Rule& rule = pack->rules_.emplace_back(read_rule(entry));
    rule.family = pack->name_;
  }
  return std::shared_ptr<const Pack>(std::move(pack));
}

Pack::~Pack() {
  if (stop_) stop_();
  if (library_) ::dlclose(library_);
}

}  // namespace aegis
