// The function table that rules get: the host's functions, each behind a handler. Rules call through C, and an
// exception must not cross that line: it becomes "absent", "unknown" or AEGIS_FAILED, and the rule is reported as
// failed.
#include <exception>
#include <new>
#include <type_traits>

#include "linter/host/api_findings.hpp"
#include "linter/host/api_reading.hpp"
#include "linter/host/context.hpp"

namespace aegis::host {

namespace {

// The functions themselves.
const aegis_api& inner() {
  static const aegis_api table = [] {
    aegis_api out{};
    fill_reading(out);
    fill_findings(out);
    return out;
  }();
  return table;
}

void fail(aegis_cx* cx, const char* what) {
  if (!cx) return;
  cx->threw = true;
  try {
    cx->failure = what;
  } catch (const std::bad_alloc&) {
    cx->failure.clear();
  }
}

// `code` answers where the function returns a number; others return null, empty or no finding.
template <auto Member, std::uint32_t code, class Signature>
struct Behind;

template <auto Member, std::uint32_t code, class R, class... Rest>
struct Behind<Member, code, R (*)(aegis_cx*, Rest...)> {
  static R call(aegis_cx* cx, Rest... rest) noexcept {
    try {
      return (inner().*Member)(cx, rest...);
    } catch (const std::bad_alloc&) {
      fail(cx, "the memory is used up");
    } catch (const std::exception& problem) {
      fail(cx, problem.what());
    } catch (...) {
      fail(cx, "an exception without a text");
    }
    if constexpr (std::is_same_v<R, std::uint32_t>) {
      return code;
    } else if constexpr (std::is_same_v<R, aegis_finding>) {
      return {AEGIS_NONE};
    } else if constexpr (!std::is_void_v<R>) {
      return R{};
    }
  }
};

template <auto Member, std::uint32_t code = AEGIS_FAILED>
void put(aegis_api& out) {
  out.*Member = Behind<Member, code, std::remove_reference_t<decltype(out.*Member)>>::call;
}

aegis_api guarded() {
  aegis_api out{};
  out.struct_size = sizeof out;
  out.abi_minor = AEGIS_ABI_MINOR;
  put<&aegis_api::model>(out);
  put<&aegis_api::scope>(out);
  put<&aegis_api::node>(out);
  put<&aegis_api::value>(out);
  put<&aegis_api::scopes>(out);
  put<&aegis_api::nodes>(out);
  put<&aegis_api::attribute>(out);
  put<&aegis_api::metadata>(out);
  put<&aegis_api::constant>(out);
  put<&aegis_api::shape_value>(out);
  put<&aegis_api::divides, AEGIS_UNKNOWN>(out);
  put<&aegis_api::equals, AEGIS_UNKNOWN>(out);
  put<&aegis_api::at_least, AEGIS_UNKNOWN>(out);
  put<&aegis_api::dim_text>(out);
  put<&aegis_api::dim_symbols>(out);
  put<&aegis_api::view>(out);
  put<&aegis_api::target>(out);
  put<&aegis_api::rate>(out);
  put<&aegis_api::alignment>(out);
  put<&aegis_api::fact>(out);
  put<&aegis_api::query>(out);
  put<&aegis_api::option>(out);
  put<&aegis_api::report>(out);
  put<&aegis_api::evidence>(out);
  put<&aegis_api::gain>(out);
  put<&aegis_api::advise>(out);
  put<&aegis_api::relate>(out);
  put<&aegis_api::request>(out);
  put<&aegis_api::cancelled, 1>(out);
  put<&aegis_api::log>(out);
  put<&aegis_api::fail>(out);
  out.get_extension = inner().get_extension;  // it has no call to fail for
  return out;
}

}  // namespace

const aegis_api& api() {
  static const aegis_api table = guarded();
  return table;
}

}  // namespace aegis::host
