// Result<T>: a value, or an Error that says what was found, what was expected and what to do. Nothing throws across a
// module's border; every function that can fail returns one of these.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace aegis {

// What kind of failure, as the exit code of the program tells it.
enum class Fault {
  usage,       // wrong options or configuration: exit 2
  file,        // a file could not be read or written: exit 3
  validation,  // a check failed or was inconclusive: exit 4
  internal,    // a fault of Aegis itself: exit 5
  memory,      // memory that was not there: exit 5, and IO908 where the limit of a worker was the reason
};

struct Error {
  Fault fault = Fault::internal;
  std::string code;     // a catalogue code such as "IO903", or empty
  std::string message;  // what was found, what was expected, what to do; lower case, no full stop
  std::string where;    // file, node or key that the message is about; may be empty
  std::vector<std::string> notes;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace aegis

// Returns the error of a Result from the enclosing function: AEGIS_TRY(auto value, read(path));
#define AEGIS_CONCAT_(a, b) a##b
#define AEGIS_CONCAT(a, b) AEGIS_CONCAT_(a, b)
#define AEGIS_TRY_(result, declaration, expression) \
  auto result = (expression);                       \
  if (!result) return std::move(result).error();    \
  declaration = *std::move(result)
#define AEGIS_TRY(declaration, expression) AEGIS_TRY_(AEGIS_CONCAT(aegis_result_, __LINE__), declaration, expression)
#define AEGIS_CHECK(expression)                                                               \
  do {                                                                                        \
    if (auto aegis_check = (expression); !aegis_check) return std::move(aegis_check).error(); \
  } while (false)
