// Copies of Requests that outlive the rule that made them, and their text for people.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "linter/request.hpp"
#include "model/model.hpp"

namespace aegis {

// The payload with everything it points to; null for an id that is not known.
std::shared_ptr<const void> copy_request(std::string_view id, const void* payload);

// The most a Request of this id may do to results, whatever its maker says.
std::optional<Safety> request_safety(std::string_view id);

// "pad w axis 0 1023 -> 1024"
std::string request_text(const Model& model, const Request& request);

}  // namespace aegis
