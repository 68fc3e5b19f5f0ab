// SPDX-License-Identifier: Apache-2.0
// A figure of an answer in JSON, found by its path and written as a page shows it.
#pragma once
#include <string>
#include <string_view>
#include <boost/json.hpp>

namespace strata::figures {

/// How a number is written.
struct Form {
  int decimals = -1;  ///< negative: as short as it is exact
  int digits = -1;    ///< significant ones, instead of decimals
  bool sign = false;  ///< + before values that are not negative
  std::string unit;   ///< "" or a name of units()
};

/// "+.1 %": sign, decimals, unit, each of which may be absent; "4g" has four significant digits.
/// Throws std::invalid_argument.
Form read_form(std::string_view text);
/// The form of a number on a page: its decimals and its sign.
Form form_of(std::string_view number, std::string unit);

/// The value at a path such as /points/0/latency_ns or rows/id=b200-curve/error: names of an object,
/// numbers of an array, or KEY=VALUE for the element of an array whose KEY is VALUE. An array itself
/// gives its size if a number is needed. Throws std::invalid_argument.
const boost::json::value& value_at(const boost::json::value& document, std::string_view path);

/// Throws std::invalid_argument: neither a number, a text nor an array; a unit of a text.
std::string written(const boost::json::value& value, const Form& form);

/// "| {id} | {error +.1 %} |" with the values of one row.
std::string filled(std::string_view pattern, const boost::json::value& row);

}  // namespace strata::figures
