// Settings: what a run was asked to do. The command line beats the environment (AEGIS_*), which beats aegis.toml.
// Every value was checked against its row of the option table before a Settings exists, so the getters cannot fail.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config.hpp"
#include "cli/io.hpp"
#include "cli/parse.hpp"
#include "model/result.hpp"

namespace aegis {

class Settings {
 public:
  static Result<Settings> make(Arguments arguments, Config config, const Io& io);

  const std::vector<std::string>& operands() const { return arguments_.operands; }
  const Config& config() const { return config_; }
  const RuleBook& rules() const { return *config_.book; }

  // True when the option was given anywhere: its default is not in force.
  bool given(std::string_view option) const { return find(option) != nullptr; }
  bool from_file(std::string_view option) const;  // aegis.toml gave it, not the command line
  bool flag(std::string_view option) const;
  std::string text(std::string_view option) const;  // empty when there is no default
  std::int64_t integer(std::string_view option) const;
  double real(std::string_view option) const;
  std::uint64_t bytes(std::string_view option) const;
  std::vector<std::string> list(std::string_view option) const;
  // "command line", "AEGIS_TARGET", "aegis.toml:3", "default".
  std::string origin(std::string_view option) const;

  // The same with the [[overrides]] that match a model's path laid over the file's values.
  Settings for_model(std::string_view path) const;

 private:
  struct Given {
    std::vector<std::string> values;
    std::string origin;
    bool from_file = false;
  };
  const Given* find(std::string_view option) const;

  Arguments arguments_;
  Config config_;
  std::map<std::string, Given, std::less<>> given_;
};

}  // namespace aegis
