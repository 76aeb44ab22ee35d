// The one table of options: the command line, aegis.toml, the environment, --help and the documents all read it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.hpp"

namespace aegis {

enum class OptionKind : std::uint8_t {
  flag,      // --preview; in a file: true or false
  text,      // any text
  integer,   // >= 0
  real,      // >= 0
  share,     // 0 to 1
  bytes,     // a whole number, KiB, MiB, GiB or TiB may stand behind it
  choice,    // one of `choices`
  list,      // commas separate; may be repeated; in a file: a text or a list of texts
  repeated,  // may be repeated, each value kept whole; in a file: a list of texts
};

struct Option {
  std::string_view name;  // "target", given as --target; empty: only in aegis.toml
  char letter = 0;        // -o
  OptionKind kind = OptionKind::flag;
  std::string_view value;      // what --help calls the value: "NAME[,NAME...]"
  std::string_view choices;    // "auto|always|never"; of list too, when not empty
  std::string_view otherwise;  // value when nobody gives one, as the getters return it
  std::string_view bare;       // value when --name stands alone; empty: a value is required
  std::string_view key;        // its key in aegis.toml, "padding.gate"; empty: not in a file
  std::string_view help;       // lower case, no full stop
};

std::span<const Option> option_table();
const Option* find_option(std::string_view name);
const Option* find_option_by_key(std::string_view key);

// Is `value` one that the option takes? The error says what was expected; its `where` is left to the caller.
Result<void> check_option_value(const Option& option, std::string_view value);

// "512", "512MiB"; nothing when it is no such size or more than 64 bits hold.
std::optional<std::uint64_t> bytes_from_text(std::string_view text);

// The parts between commas, without spaces around them; empty parts are left out.
std::vector<std::string> split_list(std::string_view text);

// Options that every verb takes.
std::span<const std::string_view> common_options();

}  // namespace aegis
