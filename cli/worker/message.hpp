// What a worker answers, as bytes: a JSON value in CBOR, in which texts may hold any bytes and numbers keep every bit.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/result.hpp"

namespace aegis {

using Json = nlohmann::ordered_json;

std::string pack(const Json& value);
std::optional<Json> unpack(std::string_view bytes);  // nothing when they are not CBOR

Json pack_error(const Error& error);
Error unpack_error(const Json& packed);

}  // namespace aegis
