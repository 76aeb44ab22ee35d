// Pack: rules from a shared object. Its one symbol is data, so everything about it is read and checked before any of
// its code runs; the rules then run behind the same function table as the program's own.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linter/rules.hpp"
#include "model/result.hpp"

namespace aegis {

class Pack {
 public:
  // Opens, checks, hashes and loads one file; what was hashed is what is loaded. Errors (usage): the file may be
  // changed by others, is no shared object, exports no pack, was built for another ABI, or its rules do not hold what
  // the ABI asks for; (file): it cannot be opened.
  static Result<std::shared_ptr<const Pack>> load(const std::string& path);
  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  const std::string& path() const { return path_; }
  const std::string& name() const { return name_; }
  const std::string& vendor() const { return vendor_; }
  const std::string& version() const { return version_; }
  const std::string& sha256() const { return sha256_; }  // of the file, hexadecimal
  std::span<const Rule> rules() const { return rules_; }

 private:
  Pack() = default;

  std::string path_, name_, vendor_, version_, sha256_;
  std::vector<Rule> rules_;
  void* library_ = nullptr;
  void (*stop_)() = nullptr;
};

}  // namespace aegis
