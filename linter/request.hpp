// Request: what a rule asks for, never how. The payload is one of the structs of <aegis/requests.h>, copied with the
// lists it points to, so it outlives the rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/patch.hpp"

namespace aegis {

struct Request {
  std::string id;  // "aegis.request.pad_dim/1"
  Safety safety = Safety::exact;
  std::string text;  // for people: "pad K 1023 -> 1024"
  std::shared_ptr<const void> payload;

  // The payload as its struct, when the id is the struct's; null otherwise.
  template <class T>
  const T* as(std::string_view of) const {
    return of == id ? static_cast<const T*>(payload.get()) : nullptr;
  }
};

}  // namespace aegis
