// SPDX-License-Identifier: Apache-2.0
#include "study/sweep/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "config/schema/path.hpp"
#include "study/sweep/pieces.hpp"

namespace strata::study {

namespace {

using config::NumberKind;

constexpr std::array kinds{&config::count_kind,     &config::integer_kind,   &config::real_kind, &config::size_kind,
                           &config::frequency_kind, &config::cycles_kind,    &config::time_kind, &config::width_kind,
                           &config::bandwidth_kind, &config::data_rate_kind, &config::ratio_kind};

}  // namespace

config::Reading<double> read_as(std::string_view text, const NumberKind& kind) {
  config::Reading<double> reading = config::read_real(text, kind);
  if (reading.error.empty() && kind.whole)
    reading.error = kind.may_be_negative ? config::read_signed(text, kind).error : config::read_whole(text, kind).error;
  return reading;
}

double number_of(std::string_view text, const NumberKind* kind) {
  if (kind == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const config::Reading<double> reading = read_as(trimmed(text.substr(0, text.find('|'))), *kind);
  return reading.error.empty() ? reading.value : std::numeric_limits<double>::quiet_NaN();
}

const NumberKind* kind_by_look(std::string_view text) {
  for (const NumberKind* kind : kinds)
    if (read_as(text, *kind).error.empty()) return kind;
  return nullptr;
}

std::optional<std::string> value_text(double value, const NumberKind& kind) {
  if (!(std::abs(value) < (kind.whole ? most_exact : 1e300))) return std::nullopt;
  if (kind.whole) {
    const double rounded = std::round(value);
    return rounded < 0 ? fmt::format("{:.0f}", rounded) : config::show_whole(static_cast<std::uint64_t>(rounded), kind);
  }
  const std::string digits = fmt::format("{:.12g}", value);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return config::show_real(rounded, kind);
}

std::optional<std::string> multiplied(std::string_view present, double factor, const NumberKind& kind) {
  const double number = number_of(present, &kind);
  return std::isnan(number) ? std::nullopt : value_text(number * factor, kind);
}

const NumberKind* kind_of_setting(const config::SchemaInfo& schema, std::string_view path) {
  const config::SchemaInfo* at = &schema;
  const config::FieldInfo* field = nullptr;
  bool in_list = false;
  for (const config::Segment& segment : config::split_path(path)) {
    if (in_list) {
      // An entry of a list: its contents are described by the list.
      at = field->child.get();
      in_list = false;
      continue;
    }
    field = at != nullptr ? at->find(segment.text) : nullptr;
    if (field == nullptr) return nullptr;
    in_list = field->shape == config::Shape::list;
    at = field->child.get();
  }
  if (field == nullptr || !field->number || in_list || at != nullptr) return nullptr;
  std::string_view name = field->kind;
  if (constexpr std::string_view list = "list of "; name.starts_with(list)) name.remove_prefix(list.size());
  for (const NumberKind* kind : kinds)
    if (kind->name == name) return kind;
  return nullptr;
}

}  // namespace strata::study
