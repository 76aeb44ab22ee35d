#include "cli/worker/message.hpp"

#include <nlohmann/json.hpp>

namespace aegis {

std::string pack(const Json& value) {
  std::string bytes;
  Json::to_cbor(value, bytes);
  return bytes;
}

std::optional<Json> unpack(std::string_view bytes) {
  Json value = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

Json pack_error(const Error& error) {
  return Json{{"fault", static_cast<int>(error.fault)},
              {"code", error.code},
              {"message", error.message},
              {"where", error.where},
              {"notes", error.notes}};
}

Error unpack_error(const Json& packed) {
  return Error{.fault = static_cast<Fault>(packed.at("fault").get<int>()),
               .code = packed.at("code"),
               .message = packed.at("message"),
               .where = packed.at("where"),
               .notes = packed.at("notes")};
}

}  // namespace aegis
