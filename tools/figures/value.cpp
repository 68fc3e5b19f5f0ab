// SPDX-License-Identifier: Apache-2.0
#include "figures/value.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace strata::figures {

namespace json = boost::json;

namespace {

// The divisor of a figure for the unit. Answers are in SI units and bytes, times in ns.
constexpr std::array<std::pair<std::string_view, double>, 11> units = {{{"%", 0.01},
                                                                        {"k", 1e3},
                                                                        {"M", 1e6},
                                                                        {"GB", 1e9},
                                                                        {"TB", 1e12},
                                                                        {"us", 1e3},
                                                                        {"ms", 1e6},
                                                                        {"KiB", 1024.0},
                                                                        {"MiB", 1048576.0},
                                                                        {"GiB", 1073741824.0},
                                                                        {"MB", 1e6}}};

double divisor(const std::string& unit) {
  if (unit.empty()) return 1;
  std::string known;
  for (const auto& [name, by] : units) {
    if (name == unit) return by;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  throw std::invalid_argument(fmt::format("no unit '{}'; there are {}", unit, known));
}

const json::value& element(const json::array& array, std::string_view step) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error == std::errc{} && end == step.data() + step.size()) {
    if (index < array.size()) return array[index];
    throw std::invalid_argument(fmt::format("'{}' is beyond the {} elements of the array", step, array.size()));
  }
  const std::size_t equals = step.find('=');
  if (equals != std::string_view::npos) {
    for (const json::value& candidate : array) {
      const json::value* key =
          candidate.is_object() ? candidate.as_object().if_contains(step.substr(0, equals)) : nullptr;
      if (key != nullptr && written(*key, {}) == step.substr(equals + 1)) return candidate;
    }
  }
  throw std::invalid_argument(fmt::format("no element '{}' in the array", step));
}

}  // namespace

Form read_form(std::string_view text) {
  Form form;
  if (text.starts_with('+')) {
    form.sign = true;
    text.remove_prefix(1);
  }
  if (text.starts_with('.')) {
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), form.decimals);
    if (error != std::errc{})
      throw std::invalid_argument(fmt::format("'{}': expected a number of decimals after '.'", text));
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  int digits = 0;
  if (const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
      error == std::errc{} && end != text.data() + text.size() && *end == 'g') {
    form.digits = digits;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  while (text.starts_with(' ')) text.remove_prefix(1);
  form.unit = text;
  divisor(form.unit);
  return form;
}

Form form_of(std::string_view number, std::string unit) {
  const std::size_t dot = number.find('.');
  Form form;
  form.decimals = dot == std::string_view::npos ? 0 : static_cast<int>(number.size() - dot - 1);
  form.sign = number.starts_with('+');
  form.unit = std::move(unit);
  return form;
}

const json::value& value_at(const json::value& document, std::string_view path) {
  const json::value* at = &document;
  for (std::string_view rest = path; !rest.empty();) {
    if (rest.starts_with('/')) rest.remove_prefix(1);
    const std::string_view step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(step.size());
    if (at->is_array()) {
      at = &element(at->as_array(), step);
    } else {
      const json::value* next = at->is_object() ? at->as_object().if_contains(step) : nullptr;
      if (next == nullptr) throw std::invalid_argument(fmt::format("no '{}' of '{}' in the answer", step, path));
      at = next;
    }
  }
  return *at;
}

std::string written(const json::value& value, const Form& form) {
  if (value.is_string()) {
    if (form.decimals >= 0 || form.digits >= 0 || form.sign || !form.unit.empty())
      throw std::invalid_argument(
          fmt::format("the text '{}' has no decimals, sign or unit", std::string(value.as_string())));
    return std::string(value.as_string());
  }
  if (value.is_bool()) return value.as_bool() ? "yes" : "no";
  if (value.is_null()) return "-";
  double number = 0;
  if (value.is_array())
    number = static_cast<double>(value.as_array().size());
  else if (value.is_number())
    number = value.to_number<double>();
  else
    throw std::invalid_argument("an object is not a figure");
  number /= divisor(form.unit);
  // Ten digits are more than any page shows, and the same from every compiler.
  std::string out = form.digits > 0     ? fmt::format("{:.{}g}", number, form.digits)
                    : form.decimals < 0 ? fmt::format("{:.10g}", number)
                                        : fmt::format("{:.{}f}", number, form.decimals);
  // The sign of zero is not shown on a page.
  if (out.find_first_not_of("-0.") == std::string::npos && out.starts_with('-')) out.erase(0, 1);
  return form.sign && !out.starts_with('-') ? "+" + out : out;
}

std::string filled(std::string_view pattern, const json::value& row) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = pattern.find('{', at);
    out += pattern.substr(at, open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = pattern.find('}', open);
    if (close == std::string_view::npos) throw std::invalid_argument("'{' without '}'");
    const std::string_view inside = pattern.substr(open + 1, close - open - 1);
    const std::size_t blank = inside.find(' ');
    const Form form = blank == std::string_view::npos ? Form{} : read_form(inside.substr(blank + 1));
    out += written(value_at(row, inside.substr(0, blank)), form);
    at = close + 1;
  }
  return out;
}

}  // namespace strata::figures
