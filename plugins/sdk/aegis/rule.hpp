// The C++20 comfort over the C plugin line: what a rule's file includes. Header-only, no state, no allocation; every
// call goes through the function table of aegis.h, so a rule works the same in the program and in a pack.
//
// A rule is a static function `check` and one AEGIS_RULE. The signature of `check` is its unit of work:
//   check(Context&, Node)   each node of the wanted operators
//   check(Context&, Group)  each structural group, or each pattern of a kind ("@layer_norm")
//   check(Context&)         the model, once
// It reads facts, returns when one is null or a number in it is NaN, and reports through finding().
#pragma once

#include <aegis/aegis.h>
#include <aegis/facts.h>
#include <aegis/requests.h>

#include <exception>
#include <new>
#include <type_traits>

#include <aegis/rule/context.hpp>
#include <aegis/rule/elements.hpp>
#include <aegis/rule/finding.hpp>
#include <aegis/rule/ids.hpp>
#include <aegis/rule/lists.hpp>
#include <aegis/rule/text.hpp>
#include <aegis/rule/units.hpp>

namespace aegis::sdk {

using Example = aegis_example;
using Option = aegis_option;

namespace detail {
template <auto Check>
aegis_status call(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) {
  Context context(api, cx);
  if constexpr (std::is_invocable_v<decltype(Check), Context&, Node>) {
    if (unit->kind != AEGIS_UNIT_NODE) return AEGIS_INVALID;
    Check(context, Node{unit->node, unit->group});
  } else if constexpr (std::is_invocable_v<decltype(Check), Context&, Group>) {
    if (unit->kind != AEGIS_UNIT_GROUP) return AEGIS_INVALID;
    Check(context, Group{unit->group, unit->node, items(unit->members)});
  } else {
    static_assert(std::is_invocable_v<decltype(Check), Context&>,
                  "check takes (Context&, Node), (Context&, Group) or (Context&)");
    if (unit->kind != AEGIS_UNIT_MODEL) return AEGIS_INVALID;
    Check(context);
  }
  return AEGIS_OK;
}
}  // namespace detail

// The C function for `check`: takes the unit from the signature, lets nothing escape.
template <auto Check>
aegis_status entry(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) {
  try {
    return detail::call<Check>(api, cx, unit);
  } catch (const std::bad_alloc&) {
    return AEGIS_OUT_OF_MEMORY;
  } catch (const std::exception& problem) {
    api->fail(cx, str(problem.what()));
    return AEGIS_FAILED;
  } catch (...) {
    api->fail(cx, str("an exception that is no std::exception"));
    return AEGIS_FAILED;
  }
}

}  // namespace aegis::sdk

// Defines the one rule of a file; `stem` is the file's name, by which the generated table refers to it. The
// initialisers follow the order of aegis_rule's fields.
#define AEGIS_RULE(stem)                         \
  extern "C" const aegis_rule aegis_rule_##stem; \
  constinit const aegis_rule aegis_rule_##stem
